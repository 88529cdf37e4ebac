package dev.millrace.backends.exampletasks;

import static dev.millrace.backends.exampletasks.Words.pick;
import static dev.millrace.backends.exampletasks.Words.pickOther;

import java.util.List;
import java.util.SortedMap;
import java.util.SplittableRandom;

/** Draws one repository of each family. */
final class Drafts {
    private static final List<String> OPERATORS =
            List.of("+", "-", "/", "%", "//", "<<", ">>", "*", "**");

    /** Asterisks are left out: in a pattern of {@code sed} they would mean repetition. */
    private static final List<String> MISTAKEN = OPERATORS.subList(0, 7);

    private static final List<String> COMPARISONS = List.of(">=", ">", "<=", "<", "==", "!=");

    private Drafts() {}

    static Draft operator(SplittableRandom random) {
        String file = pick(Words.MODULES, random);
        String function = pick(Words.COMBINERS, random);
        String right = pick(OPERATORS, random);
        String wrong = pickOther(MISTAKEN, right, random);
        String left = pick(Words.LETTERS, random);
        String other = pickOther(Words.LETTERS, left, random);
        String source =
                "# returns %s %s %s\ndef %s(%s, %s):\n    return %s %s %s\n"
                        .formatted(left, right, other, function, left, other, left, wrong, other);
        String check =
                """
                from %s import %s

                for left, right in ((7, 2), (9, 4), (12, 5), (8, 3)):
                    assert %s(left, right) == left %s right, (left, right)
                """
                        .formatted(file, function, function, right);
        return new Draft(
                Family.oneFile(file + ".py", source),
                substitute(" " + wrong + " ", " " + right + " ", file),
                HarborText.check(check));
    }

    static Draft boundary(SplittableRandom random) {
        String file = pick(Words.MODULES, random);
        String right = pick(COMPARISONS, random);
        String wrong = pickOther(COMPARISONS, right, random);
        String function = pick(Words.FUNCTIONS, random);
        String letter = pick(Words.LETTERS, random);
        int edge = 5 + random.nextInt(16);
        String source =
                "# true if %s %s %d\ndef %s(%s):\n    return %s %s %d\n"
                        .formatted(letter, right, edge, function, letter, letter, wrong, edge);
        String check =
                """
                from %s import %s

                for value in range(40):
                    assert %s(value) == (value %s %d), value
                """
                        .formatted(file, function, function, right, edge);
        return new Draft(
                Family.oneFile(file + ".py", source),
                substitute(" " + wrong + " ", " " + right + " ", file),
                HarborText.check(check));
    }

    static Draft module(SplittableRandom random) {
        String entry = pick(Words.ENTRIES, random);
        String meant = pick(Words.MODULES, random);
        String actual = pickOther(Words.MODULES, meant, random);
        String letter = pick(Words.LETTERS, random);
        int step = 2 + random.nextInt(8);
        SortedMap<String, String> files =
                Family.oneFile(
                        entry + ".py",
                        "import %s\ndef start(%s):\n    return %s.go(%s)\n"
                                .formatted(meant, letter, meant, letter));
        files.put(
                actual + ".py",
                "def go(%s):\n    return %s + %d\n".formatted(letter, letter, step));
        String check =
                """
                from %s import start

                for value in (3, 8, 20):
                    assert start(value) == value + %d, value
                """
                        .formatted(entry, step);
        return new Draft(files, "mv " + actual + ".py " + meant + ".py", HarborText.check(check));
    }

    static Draft name(SplittableRandom random) {
        String file = pick(Words.MODULES, random);
        String function = pick(Words.MEASURES, random);
        String right = pick(Words.NAMES, random);
        String wrong = pickOther(Words.NAMES, right, random);
        int factor = 2 + random.nextInt(8);
        String source =
                "def %s(%s):\n    return %s * %d\n".formatted(function, right, wrong, factor);
        String check =
                """
                from %s import %s

                for value in (1, 4, 11):
                    assert %s(value) == value * %d, value
                """
                        .formatted(file, function, function, factor);
        return new Draft(
                Family.oneFile(file + ".py", source),
                substitute(wrong, right, file),
                HarborText.check(check));
    }

    static Draft setting(SplittableRandom random) {
        String file = pick(Words.MODULES, random);
        String topic = pick(Words.TOPICS, random);
        String right = pick(Words.SETTINGS, random);
        String wrong = pickOther(Words.SETTINGS, right, random);
        SortedMap<String, String> files =
                Family.oneFile("README.md", "The %s is %s\n".formatted(topic, right));
        files.put(file + ".py", "def %s():\n    return '%s'\n".formatted(topic, wrong));
        String check =
                """
                from %s import %s

                assert %s() == "%s", %s()
                """
                        .formatted(file, topic, topic, right, topic);
        return new Draft(files, substitute(wrong, right, file), HarborText.check(check));
    }

    private static String substitute(String wrong, String right, String module) {
        return "sed -i 's|" + wrong + "|" + right + "|' " + module + ".py";
    }
}
