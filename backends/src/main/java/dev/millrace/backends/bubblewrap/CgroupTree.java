package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.KernelFiles;
import dev.millrace.backends.sandbox.OwnerStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Where this process may make control groups: version 1, version 2 or nowhere. */
final class CgroupTree {
    static final List<String> CONTROLLERS = List.of("pids", "memory", "cpu");

    private final boolean version2;
    private final Map<String, Path> bases;

    private CgroupTree(boolean version2, Map<String, Path> bases) {
        this.version2 = version2;
        this.bases = bases;
    }

    /** Looks at this host. */
    static CgroupTree find() {
        try {
            return find(
                    KernelFiles.lines(Path.of("/proc/self/mountinfo")),
                    KernelFiles.lines(Path.of("/proc/self/cgroup")));
        } catch (IOException unreadable) {
            return new CgroupTree(false, Map.of());
        }
    }

    /** The same from given texts of {@code mountinfo} and {@code cgroup}. */
    static CgroupTree find(List<String> mountinfo, List<String> memberships) {
        Map<String, Path> version1 = new LinkedHashMap<>();
        Map<String, Path> version2 = new LinkedHashMap<>();
        for (String line : mountinfo) {
            String[] halves = line.split(" - ", 2);
            if (halves.length < 2) {
                continue;
            }
            // Behind the dash: type, source, options. Before it, the mount point is the fifth.
            String[] right = halves[1].split(" ", 3);
            Path mount = Path.of(halves[0].split(" ", 6)[4]);
            if (right[0].equals("cgroup")) {
                addVersion1(version1, mount, List.of(right[2].split(",")), memberships);
            } else if (right[0].equals("cgroup2")) {
                addVersion2(version2, mount);
            }
        }
        boolean second = version2.size() > version1.size();
        return new CgroupTree(second, second ? version2 : version1);
    }

    /** Below the own group, so that limits of a container around this process hold too. */
    private static void addVersion1(
            Map<String, Path> found, Path mount, List<String> options, List<String> memberships) {
        for (String controller : CONTROLLERS) {
            if (!options.contains(controller)) {
                continue;
            }
            Path own = mount;
            for (String line : memberships) {
                String[] parts = line.split(":", 3);
                if (List.of(parts[1].split(",")).contains(controller)) {
                    own = mount.resolve(parts[2].substring(1));
                }
            }
            Path base = Files.isDirectory(own) ? own : mount;
            if (Files.isWritable(base)) {
                found.put(controller, base);
            }
        }
    }

    /**
     * Below the mount's root: a group that holds processes, as the own one does, can't hand
     * controllers to groups below it.
     */
    private static void addVersion2(Map<String, Path> found, Path mount) {
        Path control = mount.resolve("cgroup.subtree_control");
        if (!Files.isWritable(control) || !Files.isWritable(mount)) {
            return;
        }
        for (String controller : CONTROLLERS) {
            if (handDown(control, controller)) {
                found.put(controller, mount);
            }
        }
    }

    private static boolean handDown(Path control, String controller) {
        try {
            Files.writeString(control, "+" + controller);
            return true;
        } catch (IOException notToBeHad) {
            return false;
        }
    }

    boolean has(String controller) {
        return bases.containsKey(controller);
    }

    /** In words, for instance {@code cgroup v1}. */
    String version() {
        return bases.isEmpty() ? "none" : version2 ? "cgroup v2" : "cgroup v1";
    }

    /** Makes the groups of one slot. */
    Cgroup create(String stamp, String slot) throws IOException {
        Map<String, Path> folders = new LinkedHashMap<>();
        for (Map.Entry<String, Path> base : bases.entrySet()) {
            Path parent = Files.createDirectories(base.getValue().resolve(stamp));
            if (version2) {
                Files.writeString(parent.resolve("cgroup.subtree_control"), "+" + base.getKey());
            }
            folders.put(base.getKey(), Files.createDirectories(parent.resolve(slot)));
        }
        return new Cgroup(version2, folders);
    }

    /** Removes the folders of a stamp, once its slots are gone; gives those that it removed. */
    List<Path> remove(String stamp) {
        List<Path> removed = new ArrayList<>();
        for (Path base : Set.copyOf(bases.values())) {
            Path folder = base.resolve(stamp);
            for (String slot : names(folder)) {
                if (Files.isDirectory(folder.resolve(slot))) {
                    folder.resolve(slot).toFile().delete();
                }
            }
            if (folder.toFile().delete()) {
                removed.add(folder);
            }
        }
        return removed;
    }

    /** Stamps of all providers, of this process and of others, that have folders here. */
    Set<String> stamps() {
        Set<String> stamps = new TreeSet<>();
        for (Path base : bases.values()) {
            names(base).stream().filter(OwnerStamp::isOurs).forEach(stamps::add);
        }
        return stamps;
    }

    /** Ids of the processes in the groups of a stamp. */
    Set<Long> processes(String stamp) {
        Set<Long> ids = new TreeSet<>();
        for (Path base : Set.copyOf(bases.values())) {
            for (String slot : names(base.resolve(stamp))) {
                ids.addAll(
                        Cgroup.listed(base.resolve(stamp).resolve(slot).resolve("cgroup.procs")));
            }
        }
        return ids;
    }

    private static List<String> names(Path folder) {
        String[] names = folder.toFile().list();
        return names == null ? List.of() : new ArrayList<>(List.of(names));
    }

    @Override
    public String toString() {
        return version() + " " + bases;
    }
}
