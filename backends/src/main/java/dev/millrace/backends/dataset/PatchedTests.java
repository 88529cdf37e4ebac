package dev.millrace.backends.dataset;

import dev.millrace.udfs.dataset.DiffPaths;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The tests that a patch is about, put into commands in the place of {@code {files}}, their paths;
 * {@code {modules}}, as Django's runner names them; or {@code {cases}}, those of mypy's data files
 * as an expression for pytest.
 *
 * @param files that the patch leaves and that may hold tests
 * @param cases names of test cases in data files
 */
record PatchedTests(List<String> files, Set<String> cases) {
    private static final Pattern CASE = Pattern.compile("\\[case ([^\\]\\s]+)]");
    private static final Pattern NO_TEST =
            Pattern.compile(".*\\.(?:json|png|csv|txt|md|jpe?g|pkl|ya?ml|toml)");
    private static final String FILES = "{files}";
    private static final String MODULES = "{modules}";
    private static final String CASES = "{cases}";

    static PatchedTests of(String testPatch) {
        List<String> files =
                DiffPaths.left(testPatch).stream()
                        .filter(path -> !NO_TEST.matcher(path).matches())
                        .toList();
        Set<String> cases = new LinkedHashSet<>();
        Matcher found = CASE.matcher(testPatch);
        while (found.find()) {
            cases.add(found.group(1));
        }
        return new PatchedTests(files, cases);
    }

    /** A command with the tests in it; nothing when the patch has none that it could run. */
    Optional<String> in(String command) {
        boolean byCase = command.contains(CASES);
        if (byCase ? cases.isEmpty() : files.isEmpty()) {
            return Optional.empty();
        }
        if (byCase) {
            return Optional.of(command.replace(CASES, quoted(String.join(" or ", cases))));
        }
        if (command.contains(MODULES)) {
            return Optional.of(command.replace(MODULES, words(modules())));
        }
        String placed = command.contains(FILES) ? command : command + " " + FILES;
        return Optional.of(placed.replace(FILES, words(files)));
    }

    private List<String> modules() {
        return files.stream()
                .map(path -> path.endsWith(".py") ? path.substring(0, path.length() - 3) : path)
                .map(path -> path.startsWith("tests/") ? path.substring("tests/".length()) : path)
                .map(path -> path.replace('/', '.'))
                .toList();
    }

    private static String words(List<String> words) {
        return words.stream().map(PatchedTests::quoted).collect(Collectors.joining(" "));
    }

    private static String quoted(String word) {
        return TaskScripts.quote(word);
    }
}
