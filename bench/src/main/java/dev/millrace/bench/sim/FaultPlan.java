package dev.millrace.bench.sim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Faults to inject, one a line: {@code target(selector) -> effect modifiers}. Empty lines and what
 * follows {@code #} are skipped.
 *
 * <pre>
 * exec(g3.a1) -> hang
 * exec(g3.a1.u2) -> gone once
 * terminate -> 500 three times
 * model -> 503 for 90 s
 * model -> nan 1 %
 * grade(g9.*) -> 600 s
 * trainer -> session lost at s5.m1
 * trainer -> task exception once
 * </pre>
 */
public final class FaultPlan {
    private static final Pattern LINE =
            Pattern.compile("([a-z]+)\\s*(?:\\(([^)]*)\\))?\\s*(?:->)?\\s*(.*)");
    private static final Pattern STATUS = Pattern.compile("([45]\\d\\d)\\b(.*)");
    private static final Pattern SLOW = Pattern.compile("(\\d+) s\\b(.*)");
    private static final Pattern TIMES = Pattern.compile("(\\d+|once|twice|three) ?(?:times)?");
    private static final Pattern LASTS = Pattern.compile("for (\\d+) s");
    private static final Pattern PERCENT = Pattern.compile("(\\d+(?:\\.\\d+)?) ?%");
    private static final Pattern AT = Pattern.compile("at (s\\d+(?:\\.m\\d+)?)");
    private static final Pattern SELECTOR =
            Pattern.compile("(\\*|[gs]\\d+)(\\.(\\*|[am]\\d+))?(\\.(\\*|u\\d+))?");
    private static final Map<String, FaultEffect> WORDS =
            Map.of(
                    "hang", FaultEffect.HANG,
                    "gone", FaultEffect.GONE,
                    "session lost", FaultEffect.SESSION_LOST,
                    "task exception", FaultEffect.TASK_EXCEPTION,
                    "nan", FaultEffect.NAN);

    private FaultPlan() {}

    /**
     * Reads a plan.
     *
     * @throws FaultPlanException naming file, line and what would be right
     */
    public static List<FaultRule> read(Path file) throws IOException, FaultPlanException {
        List<FaultRule> rules = new ArrayList<>();
        int number = 0;
        for (String line : Files.readAllLines(file)) {
            number++;
            String text = line.replaceFirst("#.*", "").strip();
            if (!text.isEmpty()) {
                rules.add(parse(text, file.getFileName() + " line " + number));
            }
        }
        return rules;
    }

    /**
     * Reads one line.
     *
     * @param where names it in messages
     */
    public static FaultRule parse(String line, String where) throws FaultPlanException {
        Matcher matcher = LINE.matcher(line.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new FaultPlanException(
                    where + ": \"" + line + "\" is no rule; write target -> effect");
        }
        String name = matcher.group(1);
        FaultTarget target =
                FaultTarget.named(name)
                        .orElseThrow(
                                () ->
                                        new FaultPlanException(
                                                where
                                                        + ": there is no target \""
                                                        + name
                                                        + "\"; one of "
                                                        + FaultTarget.all()));
        String selector = matcher.group(2) == null ? "" : matcher.group(2).strip();
        return new Parsing(where, target, selector, matcher.group(3)).rule();
    }

    /** One line while it is taken apart. */
    private static final class Parsing {
        private final String where;
        private final FaultTarget target;
        private final String text;
        private String selector;
        private String rest;
        private int status;
        private long slowMillis;

        Parsing(String where, FaultTarget target, String selector, String text) {
            this.where = where;
            this.target = target;
            this.selector = selector;
            this.text = text;
        }

        FaultRule rule() throws FaultPlanException {
            FaultEffect effect = effect();
            long lasts = Long.parseLong(take(LASTS, "0")) * 1000;
            double percent = Double.parseDouble(take(PERCENT, "100"));
            selector = take(AT, selector);
            int times = times(take(TIMES, "0"));
            if (!rest.isBlank()) {
                throw wrong("\"" + rest.strip() + "\" is not understood");
            }
            if (effect == FaultEffect.SESSION_LOST && target != FaultTarget.TRAINER) {
                throw wrong("only the trainer has sessions");
            }
            if (!selector.isEmpty() && !SELECTOR.matcher(selector).matches()) {
                throw wrong("\"" + selector + "\" is no id; for instance g3.a1, g9.* or s5.m1");
            }
            boolean once = effect == FaultEffect.SESSION_LOST || effect == FaultEffect.GONE;
            return new FaultRule(
                    target,
                    selector,
                    effect,
                    status,
                    slowMillis,
                    times == 0 && once ? 1 : times,
                    lasts,
                    percent);
        }

        private FaultEffect effect() throws FaultPlanException {
            for (Map.Entry<String, FaultEffect> word : WORDS.entrySet()) {
                if (text.startsWith(word.getKey())) {
                    rest = text.substring(word.getKey().length());
                    return word.getValue();
                }
            }
            Matcher code = STATUS.matcher(text);
            if (code.matches()) {
                status = Integer.parseInt(code.group(1));
                rest = code.group(2);
                return FaultEffect.STATUS;
            }
            Matcher slow = SLOW.matcher(text);
            if (slow.matches()) {
                slowMillis = Long.parseLong(slow.group(1)) * 1000;
                rest = slow.group(2);
                return FaultEffect.SLOW;
            }
            throw wrong(
                    "\""
                            + text
                            + "\" is no effect; one of hang, gone, session lost, task exception,"
                            + " nan, a status such as 503, or seconds such as 600 s");
        }

        private String take(Pattern pattern, String otherwise) {
            Matcher matcher = pattern.matcher(rest);
            if (!matcher.find()) {
                return otherwise;
            }
            String found = matcher.group(1);
            rest = rest.substring(0, matcher.start()) + rest.substring(matcher.end());
            return found;
        }

        private static int times(String word) {
            return switch (word) {
                case "once" -> 1;
                case "twice" -> 2;
                case "three" -> 3;
                default -> Integer.parseInt(word);
            };
        }

        private FaultPlanException wrong(String what) {
            return new FaultPlanException(where + ": " + what);
        }
    }
}
