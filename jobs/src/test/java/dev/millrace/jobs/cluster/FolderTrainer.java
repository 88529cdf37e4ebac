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
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A trainer whose policy is the list of what it was trained on, in files, so that one in another
 * process goes on from it.
 */
final class FolderTrainer implements PolicyTrainer {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;

    FolderTrainer(Path folder) {
        this.folder = folder;
    }

    /** Ids of the data that the policy at a URI was trained on, in order. */
    static List<String> trained(String uri) throws IOException {
        return List.of(JSON.readValue(Path.of(URI.create(uri)).toFile(), String[].class));
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

        Session(List<String> start) {
            trained = new ArrayList<>(start);
        }

        @Override
        public CompletableFuture<LossResult> forwardBackward(
                String effectId, List<Datum> data, LossSpec loss) {
            data.forEach(datum -> gathered.add(FakePolicyTrainer.idOf(datum)));
            return CompletableFuture.completedFuture(new LossResult(-0.5, 1, 0.25, 0.01, 1.5));
        }

        @Override
        public CompletableFuture<OptimResult> optimStep(String effectId, AdamSpec adam) {
            trained.addAll(gathered);
            gathered.clear();
            return CompletableFuture.completedFuture(new OptimResult(2, false));
        }

        @Override
        public CompletableFuture<String> saveState(String name) {
            return keep("state", name);
        }

        @Override
        public CompletableFuture<String> publish(String name) {
            return keep("weights", name);
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
