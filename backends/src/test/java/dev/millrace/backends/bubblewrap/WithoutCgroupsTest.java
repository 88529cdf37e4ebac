package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.IsolationContract;
import dev.millrace.backends.port.SandboxProvider;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole contract on a host that has no control groups to give, as for an ordinary user. */
final class WithoutCgroupsTest extends IsolationContract {
    @TempDir Path scratch;

    @Override
    protected SandboxProvider newProvider() {
        return new BubblewrapProvider(
                BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.SH),
                () -> CgroupTree.find(List.of(), List.of()));
    }

    @Override
    protected List<String> leftovers() {
        try (Stream<Path> left = Files.list(scratch)) {
            return left.map(Path::toString).toList();
        } catch (IOException e) {
            return List.of(e.toString());
        }
    }

    @Test
    void saysWhatItCanNotEnforce() throws Exception {
        assertThat(provider.probe().notEnforced())
                .anyMatch(line -> line.startsWith("memory"))
                .anyMatch(line -> line.startsWith("cpu"));
    }
}
