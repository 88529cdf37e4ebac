package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerSession;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/** A trainer that ends its sessions with itself, so that their slots are free for the next test. */
final class ClosingTrainer implements PolicyTrainer {
    private final TinkerTrainer trainer;
    private final Queue<TrainerSession> opened = new ConcurrentLinkedQueue<>();

    ClosingTrainer(TinkerTrainer trainer) {
        this.trainer = trainer;
    }

    @Override
    public TrainerSession open(String name, String stateUri) {
        TrainerSession session = trainer.open(name, stateUri);
        opened.add(session);
        return session;
    }

    @Override
    public void close() {
        opened.forEach(TrainerSession::close);
        trainer.close();
    }
}
