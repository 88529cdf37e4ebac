package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.sandbox.KernelFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

/** The control groups of one slot: one folder per controller (version 1) or one for all. */
final class Cgroup {
    /** Besides the agent's: launcher, two bubblewrap processes, control shell. */
    private static final int OWN_PROCESSES = 4;

    private static final int PERIOD_MICROS = 100_000;

    private final boolean version2;
    private final Map<String, Path> folders;
    private SandboxLimits current;

    /**
     * @param version2 which file names hold
     * @param folders by controller; empty when this host gives none
     */
    Cgroup(boolean version2, Map<String, Path> folders) {
        this.version2 = version2;
        this.folders = folders;
    }

    /** Files into which a process writes its id to enter. */
    List<Path> entrances() {
        return folders.values().stream().distinct().map(f -> f.resolve("cgroup.procs")).toList();
    }

    boolean has(String controller) {
        return folders.containsKey(controller);
    }

    /** Of the next sandbox, while nothing but the launcher runs here. */
    void limit(SandboxLimits limits) throws IOException {
        long processes = limits.processes() + OWN_PROCESSES + uncollected();
        write("pids", "pids.max", Long.toString(processes));
        if (limits.equals(current)) {
            return;
        }
        // The sized disk is main memory too.
        String bytes = Long.toString((limits.memoryMb() + (long) limits.diskMb()) << 20);
        String quota = Long.toString(Math.max(1000, Math.round(limits.cpus() * PERIOD_MICROS)));
        if (version2) {
            write("memory", "memory.max", bytes);
            writeIfThere("memory", "memory.swap.max", "0");
            write("cpu", "cpu.max", quota + " " + PERIOD_MICROS);
        } else {
            writeMemoryV1(bytes);
            write("cpu", "cpu.cfs_period_us", Integer.toString(PERIOD_MICROS));
            write("cpu", "cpu.cfs_quota_us", quota);
        }
        current = limits;
    }

    /**
     * Processes that are dead and still count: where the host's process 1 collects nobody, those of
     * every sandbox that was here before.
     */
    private long uncollected() {
        Path folder = folders.get("pids");
        if (folder == null) {
            return 0;
        }
        try {
            long all = Long.parseLong(KernelFiles.read(folder.resolve("pids.current")).trim());
            long living =
                    listed(folder.resolve("cgroup.procs")).stream().filter(Slot::runs).count();
            return Math.max(0, all - living);
        } catch (IOException unreadable) {
            return 0;
        }
    }

    /** Memory plus swap may never be below memory, so it is lifted first. */
    private void writeMemoryV1(String bytes) throws IOException {
        writeIfThere("memory", "memory.memsw.limit_in_bytes", "-1");
        write("memory", "memory.limit_in_bytes", bytes);
        writeIfThere("memory", "memory.memsw.limit_in_bytes", bytes);
    }

    /** How often the memory limit has killed something here. */
    long oomKills() {
        return counter("memory", version2 ? "memory.events" : "memory.oom_control", "oom_kill");
    }

    /** How often a process could not be made because of the limit. */
    long refusedForks() {
        return counter("pids", "pids.events", "max");
    }

    /** Host ids of all processes inside; empty too when there is no control group. */
    List<Long> processes() {
        TreeSet<Long> ids = new TreeSet<>();
        for (Path entrance : entrances()) {
            ids.addAll(listed(entrance));
        }
        return List.copyOf(ids);
    }

    /** A folder that is not there holds no process. */
    static List<Long> listed(Path entrance) {
        try {
            return KernelFiles.lines(entrance).stream().map(Long::valueOf).toList();
        } catch (IOException gone) {
            return List.of();
        }
    }

    /** Removes the folders; only possible when no process is left. */
    boolean remove() {
        boolean removed = true;
        for (Path folder : folders.values().stream().distinct().toList()) {
            removed &= folder.toFile().delete() || !Files.exists(folder);
        }
        return removed;
    }

    private long counter(String controller, String file, String key) {
        Path folder = folders.get(controller);
        if (folder == null) {
            return 0;
        }
        try {
            for (String line : KernelFiles.lines(folder.resolve(file))) {
                if (line.startsWith(key + " ")) {
                    return Long.parseLong(line.substring(key.length() + 1).trim());
                }
            }
        } catch (IOException unreadable) {
            return 0;
        }
        return 0;
    }

    private void write(String controller, String file, String value) throws IOException {
        Path folder = folders.get(controller);
        if (folder != null) {
            Files.writeString(folder.resolve(file), value);
        }
    }

    private void writeIfThere(String controller, String file, String value) throws IOException {
        Path folder = folders.get(controller);
        if (folder != null && Files.exists(folder.resolve(file))) {
            Files.writeString(folder.resolve(file), value);
        }
    }
}
