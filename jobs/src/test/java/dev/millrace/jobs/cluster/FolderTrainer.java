package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.fake.FakePolicyTrainer;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A trainer whose policy is the list of what it was trained on, in files, so that one in another
 * process goes on from it. It trains only as far as it is allowed to: so a test decides at which
 * step something is killed, however slow the machine is.
 */
final class FolderTrainer implements PolicyTrainer {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String ALLOWED = "allowed";
    private static final Executor SOON =
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS);

    private final Path folder;

    FolderTrainer(Path folder) {
        this.folder = folder;
    }

    /** Ids of the data that the policy at a URI was trained on, in order. */
    static List<String> trained(String uri) throws IOException {
        return List.of(JSON.readValue(Path.of(URI.create(uri)).toFile(), String[].class));
    }

    /** Lets all trainers of the folder train on so many data in all. */
    static void allow(Path folder, int data) throws IOException {
        Path part = Files.createDirectories(folder).resolve("allowed.part");
        Files.writeString(part, Integer.toString(data));
        Files.move(part, folder.resolve(ALLOWED), StandardCopyOption.ATOMIC_MOVE);
    }

    private int allowed() {
        try {
            return Integer.parseInt(Files.readString(folder.resolve(ALLOWED)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public TrainerSession open(String name, String stateUri) {
        try {
            return new Session(stateUri.isEmpty() ? List.of() : trained(stateUri));
        } catch (IOException e) {
            throw new TrainerException("No state lies at " + stateUri, e);
        }
    }

    @Override
    public void close() {
        // Nothing is held.
    }

    private final class Session implements TrainerSession {
        private final List<String> trained;
        private final List<String> gathered = new ArrayList<>();
        private CompletableFuture<?> last = CompletableFuture.completedFuture(null);

        Session(List<String> start) {
            trained = new ArrayList<>(start);
        }

        @Override
        public synchronized CompletableFuture<LossResult> forwardBackward(
                String effectId, List<Datum> data, LossSpec loss) {
            return after(
                    () -> {
                        data.forEach(datum -> gathered.add(FakePolicyTrainer.idOf(datum)));
                        return CompletableFuture.completedFuture(
                                new LossResult(-0.5, 1, 0.25, 0.01, 1.5));
                    });
        }

        @Override
        public synchronized CompletableFuture<OptimResult> optimStep(
                String effectId, AdamSpec adam) {
            return after(this::updateWhenAllowed);
        }

        private CompletableFuture<OptimResult> updateWhenAllowed() {
            if (trained.size() + gathered.size() > allowed()) {
                return CompletableFuture.supplyAsync(() -> 0, SOON)
                        .thenCompose(waited -> updateWhenAllowed());
            }
            trained.addAll(gathered);
            gathered.clear();
            return CompletableFuture.completedFuture(new OptimResult(2, false));
        }

        @Override
        public synchronized CompletableFuture<String> saveState(String name) {
            return after(() -> keep("state", name));
        }

        @Override
        public synchronized CompletableFuture<String> publish(String name) {
            return after(() -> keep("weights", name));
        }

        /** Calls are carried out in the order they are made. */
        private <T> CompletableFuture<T> after(Supplier<CompletableFuture<T>> call) {
            CompletableFuture<T> done = last.thenCompose(previous -> call.get());
            last = done;
            return done;
        }

        private CompletableFuture<String> keep(String kind, String name) {
            Path file = folder.resolve(kind).resolve(name);
            try {
                Files.createDirectories(file.getParent());
                Files.write(file, JSON.writeValueAsBytes(trained), StandardOpenOption.CREATE_NEW);
                return CompletableFuture.completedFuture(file.toUri().toString());
            } catch (IOException e) {
                return CompletableFuture.failedFuture(new TrainerException("Can't keep", e));
            }
        }

        @Override
        public void close() {
            // Nothing is held.
        }
    }
}
