package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.sandbox.OwnerStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class ReaperTest {
    /** This process with another start time: a process of the past with a reused id. */
    private static final String PAST =
            "millrace-" + ProcessHandle.current().pid() + "-1-" + System.nanoTime() % 1_000_000;

    @TempDir Path folder;
    private final String living = OwnerStamp.mint();
    private final CgroupTree tree = CgroupTree.find();
    private OwnerRegistry registry;

    @Test
    void eachUserHasANotebookOfItsOwnAndRootTheOneItHad() {
        assertThat(OwnerRegistry.name(0)).isEqualTo("millrace-owners");
        assertThat(OwnerRegistry.name(12345)).isEqualTo("millrace-owners-12345");
    }

    private Process left;
    private Process used;

    @BeforeEach
    void leaveSomething() throws Exception {
        registry = new OwnerRegistry(folder.resolve("owners"));
        left = leave(PAST, "run-past");
        used = leave(living, "run-living");
    }

    @AfterEach
    void end() {
        left.destroyForcibly();
        used.destroyForcibly();
        new Reaper(registry, tree).clear(Optional.empty());
        used.onExit().join();
        tree.remove(living);
    }

    @Test
    void removesProcessesGroupsAndFoldersOfThePastAndNothingElse() throws Exception {
        Reaper.Report report = new Reaper(registry, tree).clear(Optional.empty());
        assertThat(report.removed())
                .anyMatch(line -> line.startsWith("process " + left.pid() + " "))
                .anyMatch(line -> line.equals("folder " + scratch().resolve(PAST)))
                .noneMatch(line -> line.contains(living));
        if (!tree.stamps().isEmpty()) {
            assertThat(report.removed()).anyMatch(line -> line.startsWith("control group "));
        }
        assertThat(left.waitFor(10, TimeUnit.SECONDS)).isTrue();
        assertThat(scratch().resolve(PAST)).doesNotExist();
        assertThat(tree.stamps()).doesNotContain(PAST);
        assertThat(used.isAlive()).isTrue();
        assertThat(scratch().resolve(living)).exists();
        assertThat(registry.entries())
                .extracting(OwnerRegistry.Entry::stamp)
                .containsExactly(living);
        assertThat(new Reaper(registry, tree).clear(Optional.empty()).past()).isZero();
    }

    @Test
    void removesOnlyWhatTheNamedRunHasLeft() {
        Reaper.Report other = new Reaper(registry, tree).clear(Optional.of("run-other"));
        assertThat(other.removed()).isEmpty();
        assertThat(left.isAlive()).isTrue();
        Reaper.Report own = new Reaper(registry, tree).clear(Optional.of("run-past"));
        assertThat(own.past()).isEqualTo(1);
        assertThat(own.living()).isGreaterThanOrEqualTo(1);
    }

    private Path scratch() {
        return folder.resolve("scratch");
    }

    private Process leave(String stamp, String run) throws IOException {
        Path own = Files.createDirectories(scratch().resolve(stamp).resolve("slot0"));
        Files.writeString(own.resolve("passwd"), "x");
        registry.scratch(stamp, scratch());
        registry.owner(stamp, run + "/rollout/0");
        Cgroup group = tree.create(stamp, "slot0");
        Process process =
                new ProcessBuilder(List.of("sleep", "54321")).directory(own.toFile()).start();
        for (Path entrance : group.entrances()) {
            Files.writeString(entrance, Long.toString(process.pid()));
        }
        return process;
    }
}
