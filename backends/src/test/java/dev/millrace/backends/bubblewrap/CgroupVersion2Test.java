package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.SandboxLimits;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Paths and values of control groups of version 2, in a folder that stands for the kernel's. What
 * the kernel makes of them is not seen here.
 */
class CgroupVersion2Test {
    @TempDir Path mount;

    private CgroupTree tree(String... more) throws IOException {
        Files.createFile(mount.resolve("cgroup.subtree_control"));
        return find(more);
    }

    private CgroupTree find(String... more) {
        List<String> mounts =
                new ArrayList<>(
                        List.of(
                                "24 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw",
                                "31 24 0:27 / "
                                        + mount
                                        + " rw,nosuid - cgroup2 cgroup2 rw,nsdelegate"));
        mounts.addAll(List.of(more));
        return CgroupTree.find(mounts, List.of("0::/system.slice/worker.service"));
    }

    private String read(String file) throws IOException {
        return Files.readString(mount.resolve(file));
    }

    @Test
    void oneFolderHasAllControllersAndEachIsHandedDown() throws Exception {
        CgroupTree tree = tree();
        assertThat(tree.version()).isEqualTo("cgroup v2");
        assertThat(CgroupTree.CONTROLLERS).allMatch(tree::has);
        Cgroup group = tree.create("millrace-1-x", "s0");
        assertThat(group.entrances())
                .containsExactly(mount.resolve("millrace-1-x/s0/cgroup.procs"));
        assertThat(read("millrace-1-x/cgroup.subtree_control")).startsWith("+");
    }

    @Test
    void limitsAreWrittenInItsWords() throws Exception {
        Cgroup group = tree().create("millrace-1-x", "s0");
        Files.writeString(mount.resolve("millrace-1-x/s0/memory.swap.max"), "max");
        group.limit(new SandboxLimits(1.5, 256, 64, 32));
        assertThat(read("millrace-1-x/s0/memory.max")).isEqualTo(Long.toString(288L << 20));
        assertThat(read("millrace-1-x/s0/memory.swap.max")).isEqualTo("0");
        assertThat(read("millrace-1-x/s0/cpu.max")).isEqualTo("150000 100000");
        assertThat(read("millrace-1-x/s0/pids.max")).isEqualTo("68");
    }

    @Test
    void theDeadThatNobodyHasCollectedTakeNoneOfTheNextOnesProcesses() throws Exception {
        Cgroup group = tree().create("millrace-1-x", "s0");
        SandboxLimits limits = new SandboxLimits(1.5, 256, 64, 32);
        group.limit(limits);
        Files.writeString(mount.resolve("millrace-1-x/s0/pids.current"), "11\n");
        Files.writeString(
                mount.resolve("millrace-1-x/s0/cgroup.procs"),
                ProcessHandle.current().pid() + "\n");
        group.limit(limits);
        assertThat(read("millrace-1-x/s0/pids.max")).isEqualTo("78");
    }

    @Test
    void whatTheLimitsDidIsReadFromItsCounters() throws Exception {
        Cgroup group = tree().create("millrace-1-x", "s0");
        assertThat(group.oomKills()).isZero();
        Files.writeString(
                mount.resolve("millrace-1-x/s0/memory.events"),
                "low 0\nhigh 0\nmax 9\noom 3\noom_kill 2\noom_group_kill 0\n");
        Files.writeString(mount.resolve("millrace-1-x/s0/pids.events"), "max 7\n");
        Files.writeString(mount.resolve("millrace-1-x/s0/cgroup.procs"), "12\n9\n");
        assertThat(group.oomKills()).isEqualTo(2);
        assertThat(group.refusedForks()).isEqualTo(7);
        assertThat(group.processes()).containsExactly(9L, 12L);
    }

    @Test
    void aHierarchyThatHandsNothingDownGivesNoLimits() throws Exception {
        Files.createDirectory(mount.resolve("cgroup.subtree_control"));
        CgroupTree tree = find();
        assertThat(tree.version()).isEqualTo("none");
        assertThat(tree.create("millrace-1-x", "s0").entrances()).isEmpty();
    }

    @Test
    void aHostWithItsControllersInVersion1UsesThose() throws Exception {
        Files.createDirectory(mount.resolve("cgroup.subtree_control"));
        Path old = Files.createDirectories(mount.resolve("old/pids"));
        CgroupTree tree = find("33 24 0:29 / " + old + " rw - cgroup cgroup rw,pids");
        assertThat(tree.version()).isEqualTo("cgroup v1");
        assertThat(tree.has("pids")).isTrue();
        assertThat(tree.has("memory")).isFalse();
    }

    @Test
    void theFoldersOfAProcessThatIsGoneAreRemoved() throws Exception {
        CgroupTree tree = tree();
        tree.create("millrace-1-x", "s0");
        Files.delete(mount.resolve("millrace-1-x/cgroup.subtree_control"));
        assertThat(tree.remove("millrace-1-x")).containsExactly(mount.resolve("millrace-1-x"));
        assertThat(mount.resolve("millrace-1-x")).doesNotExist();
    }
}
