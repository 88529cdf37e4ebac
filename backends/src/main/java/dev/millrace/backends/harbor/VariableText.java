package dev.millrace.backends.harbor;

import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Puts variables into the text of an instruction. */
final class VariableText {
    private static final Pattern VARIABLE =
            Pattern.compile(
                    "\\$(?:([A-Za-z_][A-Za-z0-9_]*)"
                            + "|\\{([A-Za-z_][A-Za-z0-9_]*)(?:(:[-+])([^}]*))?})");

    private VariableText() {}

    /** {@code $A}, <code>${A}</code>, <code>${A:-without}</code> and <code>${A:+with}</code>. */
    static String expand(String text, Map<String, String> variables) {
        return VARIABLE.matcher(text)
                .replaceAll(found -> Matcher.quoteReplacement(value(found, variables)));
    }

    private static String value(MatchResult found, Map<String, String> variables) {
        String name = found.group(1) == null ? found.group(2) : found.group(1);
        String value = variables.getOrDefault(name, "");
        String operator = Optional.ofNullable(found.group(3)).orElse("");
        return switch (operator) {
            case ":-" -> value.isEmpty() ? found.group(4) : value;
            case ":+" -> value.isEmpty() ? "" : found.group(4);
            default -> value;
        };
    }
}
