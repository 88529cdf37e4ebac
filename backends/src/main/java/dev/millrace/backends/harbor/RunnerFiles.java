package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Files in a working folder that a test runner, an interpreter, a shell or git obeys without being
 * told to. An attempt is graded with those of the environment and never with the agent's, unless
 * the task is about them: its instruction or its solution names the file.
 */
final class RunnerFiles {
    /** Flag of a file that was put back, before its path. */
    static final String PUT_BACK = "runner_file_put_back:";

    private static final int MOST_FLAGS = 20;
    private static final Set<String> NAMES = Set.of("conftest.py", "pytest.ini", ".pytest.ini");

    /** Modules that an interpreter imports as it starts, from wherever its path leads. */
    private static final Set<String> START_MODULES = Set.of("sitecustomize", "usercustomize");

    private static final Set<String> MODULES =
            Set.of("pytest", "_pytest", "pluggy", "iniconfig", "unittest");
    private static final Set<String> START_FILES =
            Set.of(".bashrc", ".bash_profile", ".bash_login", ".profile", ".gitconfig");
    private static final Set<String> WITH_SECTIONS =
            Set.of("pyproject.toml", "setup.cfg", "tox.ini");

    private RunnerFiles() {}

    /**
     * What an attempt is graded with.
     *
     * @param files sorted by path
     * @param flags one for each file that was put back
     */
    record Restored(List<SandboxFile> files, List<String> flags) {}

    /** Shell text that copies the environment's own to a folder, keeping their paths. */
    static String copyTo(String folder) {
        return "rm -rf "
                + folder
                + " && mkdir -p "
                + folder
                + " && find . -type f \\( -name '*.py' -path '*/pytest*' -o -name '*.py' -path"
                + " '*/_pytest/*' -o -path '*/pluggy/*' -o -path '*/iniconfig/*' -o -path"
                + " '*/unittest*' -o -name conftest.py -o -name '*pytest.ini' -o -name"
                + " '*customize.*' -o -path '*customize/*' -o -name '*.pth' -o -name '*.egg-link'"
                + " -o -name entry_points.txt -o -name pyproject.toml -o -name setup.cfg -o -name"
                + " tox.ini -o -path './.bash*' -o -path ./.profile -o -path ./.gitconfig -o -path"
                + " '*/.git/config' -o -path '*/.git/hooks/*' -o -path '*/.git/info/attributes' -o"
                + " -path './pytest.*' -o -path './_pytest.*' -o -path './pluggy.*' -o -path"
                + " './iniconfig.*' -o -path './unittest.*' \\) -exec cp -p --parents {} "
                + folder
                + " \\;";
    }

    /**
     * Puts the environment's files in the place of the agent's.
     *
     * @param base files of the working folder as the environment has them; others than these here
     *     may be missing
     */
    static Restored restore(HarborTask task, List<SandboxFile> base, List<SandboxFile> workspace) {
        Predicate<SandboxFile> foreign = file -> !named(task, file.path());
        Map<String, SandboxFile> original = new TreeMap<>();
        base.stream().filter(foreign).forEach(file -> original.put(file.path(), file));
        List<SandboxFile> kept = new ArrayList<>();
        List<String> flags = new ArrayList<>();
        for (SandboxFile file : workspace) {
            SandboxFile before = original.remove(file.path());
            if (named(task, file.path()) || !obeyedOtherwise(file, before)) {
                kept.add(file);
                continue;
            }
            flag(flags, file.path());
            if (before != null) {
                kept.add(before);
            }
        }
        for (SandboxFile deleted : original.values()) {
            if (obeyed(deleted.path())) {
                flag(flags, deleted.path());
                kept.add(deleted);
            }
        }
        kept.sort(Comparator.comparing(SandboxFile::path));
        return new Restored(List.copyOf(kept), List.copyOf(flags));
    }

    private static void flag(List<String> flags, String path) {
        if (flags.size() < MOST_FLAGS) {
            flags.add(PUT_BACK + path);
        }
    }

    /** Whether the file is obeyed, and says another thing than it did. */
    private static boolean obeyedOtherwise(SandboxFile file, SandboxFile before) {
        if (WITH_SECTIONS.contains(name(file.path()))) {
            return !TestSections.of(text(file)).equals(TestSections.of(text(before)));
        }
        // A module is in the way of the real one even if it is empty.
        boolean inTheWay = before == null && isModule(file.path());
        return obeyed(file.path()) && (inTheWay || !text(file).equals(text(before)));
    }

    /** Whether the whole file is obeyed; not so for those of which a section is. */
    static boolean obeyed(String path) {
        String name = name(path);
        if (NAMES.contains(name) || name.endsWith(".pth") || name.endsWith(".egg-link")) {
            return true;
        }
        if (START_FILES.contains(path) || isModule(path)) {
            return true;
        }
        if (name.equals("entry_points.txt")) {
            return path.contains(".dist-info/") || path.contains(".egg-info/");
        }
        String rooted = "/" + path;
        return rooted.endsWith("/.git/config")
                || rooted.contains("/.git/hooks/")
                || rooted.endsWith("/.git/info/attributes");
    }

    /**
     * A module of the interpreter or the test runner, found before the real one where tests start:
     * a folder, source, byte code or a library.
     */
    private static boolean isModule(String path) {
        String[] parts = path.split("/", -1);
        for (int i = 0; i < parts.length; i++) {
            boolean folder = i < parts.length - 1;
            if (START_MODULES.contains(module(parts[i], folder))) {
                return true;
            }
        }
        return MODULES.contains(module(parts[0], parts.length > 1));
    }

    /** What a folder or a file is imported as; nothing for a file that can't be. */
    private static String module(String name, boolean folder) {
        boolean importable = name.endsWith(".py") || name.endsWith(".pyc") || name.endsWith(".so");
        return folder ? name : importable ? name.substring(0, name.indexOf('.')) : "";
    }

    private static boolean named(HarborTask task, String path) {
        if (("/" + path).contains("/.git/")) {
            return GitHistory.isSubject(task);
        }
        String name = name(path);
        return task.instruction().contains(name)
                || task.solution().stream().anyMatch(file -> text(file).contains(name));
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /** Byte for byte; nothing for no file. */
    private static String text(SandboxFile file) {
        return file == null ? "" : new String(file.content(), StandardCharsets.ISO_8859_1);
    }
}
