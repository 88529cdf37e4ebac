package dev.millrace.backends.embedded;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.port.SamplerContract;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedSamplerContractTest extends SamplerContract {
    @TempDir private Path directory;

    @Override
    protected PolicyBackend newBackend() {
        return EmbeddedBackend.in(directory);
    }
}
