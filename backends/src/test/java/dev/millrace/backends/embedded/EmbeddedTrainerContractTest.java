package dev.millrace.backends.embedded;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.port.PolicyTrainerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedTrainerContractTest extends PolicyTrainerContract {
    @TempDir private Path directory;

    @Override
    protected PolicyBackend newBackend() {
        return EmbeddedBackend.in(directory);
    }
}
