package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.KernelFiles;
import dev.millrace.backends.sandbox.OwnerStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Removes what processes that are gone have left on this host: processes, control groups, mounts
 * and folders of their sandboxes. What belongs to a live process is never touched.
 */
public final class Reaper {
    private static final long END_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final OwnerRegistry registry;
    private final CgroupTree tree;
    private final List<String> removed = new ArrayList<>();
    private int past;
    private int living;

    Reaper(OwnerRegistry registry, CgroupTree tree) {
        this.registry = registry;
        this.tree = tree;
    }

    /**
     * What was done.
     *
     * @param removed one line for each thing
     * @param past providers of the past that were cleared up
     * @param living providers that live and were left alone
     */
    public record Report(List<String> removed, int past, int living) {}

    /**
     * Clears up on this host.
     *
     * @param run only what providers of that run have left; empty for all
     */
    public static Report run(Optional<String> run) {
        return new Reaper(OwnerRegistry.ofHost(), CgroupTree.find()).clear(run);
    }

    Report clear(Optional<String> run) {
        Map<String, OwnerRegistry.Entry> known = new TreeMap<>();
        for (String stamp : tree.stamps()) {
            known.put(stamp, new OwnerRegistry.Entry(stamp, List.of(), Set.of()));
        }
        registry.entries().forEach(entry -> known.put(entry.stamp(), entry));
        for (OwnerRegistry.Entry entry : known.values()) {
            if (!OwnerStamp.isStale(entry.stamp())) {
                living++;
            } else if (run.isEmpty() || entry.owners().contains(run.get())) {
                past++;
                clear(entry);
            }
        }
        return new Report(List.copyOf(removed), past, living);
    }

    private void clear(OwnerRegistry.Entry entry) {
        List<Path> folders =
                entry.scratch().stream().map(scratch -> scratch.resolve(entry.stamp())).toList();
        long deadline = System.nanoTime() + END_NANOS;
        Set<Long> killed = new LinkedHashSet<>();
        Set<Long> left = processes(entry.stamp(), folders);
        while (!left.isEmpty() && System.nanoTime() < deadline) {
            for (long pid : left) {
                if (killed.add(pid)) {
                    removed.add("process " + pid + " " + command(pid));
                }
                ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly);
            }
            Thread.onSpinWait();
            left = processes(entry.stamp(), folders);
        }
        for (Path group : tree.remove(entry.stamp())) {
            removed.add("control group " + group);
        }
        folders.forEach(this::unmount);
        for (Path folder : folders) {
            if (Files.exists(folder)) {
                FileTrees.remove(folder);
                removed.add("folder " + folder);
            }
        }
        registry.forget(entry.stamp());
    }

    private Set<Long> processes(String stamp, List<Path> folders) {
        Set<Long> found = new LinkedHashSet<>(tree.processes(stamp));
        ProcessHandle.allProcesses()
                .filter(process -> folders.stream().anyMatch(workingFolder(process)::startsWith))
                .forEach(
                        process -> {
                            found.add(process.pid());
                            process.descendants().forEach(below -> found.add(below.pid()));
                        });
        found.removeIf(pid -> !Slot.runs(pid));
        return found;
    }

    private static Path workingFolder(ProcessHandle process) {
        try {
            return Files.readSymbolicLink(Path.of("/proc", Long.toString(process.pid()), "cwd"));
        } catch (IOException gone) {
            return Path.of("/");
        }
    }

    private static String command(long pid) {
        try {
            String line = KernelFiles.read(Path.of("/proc", Long.toString(pid), "comm"));
            return line.strip();
        } catch (IOException gone) {
            return "";
        }
    }

    private void unmount(Path folder) {
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/mountinfo"))) {
            List<String> points =
                    lines.map(line -> line.split(" ", 6)[4])
                            .filter(point -> Path.of(point).startsWith(folder))
                            .toList();
            for (String point : points) {
                ProcessBuilder umount = new ProcessBuilder("umount", "--lazy", point);
                umount.redirectErrorStream(true);
                umount.redirectOutput(ProcessBuilder.Redirect.DISCARD);
                if (umount.start().waitFor(10, TimeUnit.SECONDS)) {
                    removed.add("mount " + point);
                }
            }
        } catch (IOException e) {
            removed.add("nothing below " + folder + " was unmounted: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
