package dev.millrace.pipeline.settings;

import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** How values of the supported types are written in a recipe. */
final class SettingType {
    private static final Pattern DURATION = Pattern.compile("(\\d{1,12})(ms|s|m|h|d)");
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,3})?");

    private SettingType() {}

    /** What a value of the type looks like, in words. */
    static String words(Class<?> type) {
        if (type == int.class || type == long.class) {
            return "a whole number";
        }
        if (type == double.class) {
            return "a number";
        }
        if (type == boolean.class) {
            return "true or false";
        }
        if (type == Duration.class) {
            return "a time with its unit, for instance 500ms, 2s, 10m, 1h";
        }
        return type.isEnum() ? "one of " + enumWords(type) : "a text";
    }

    /** The value that the text stands for, or nothing when it isn't one of the type. */
    static Optional<Object> parse(Class<?> type, String text) {
        try {
            if (type == int.class) {
                return Optional.of(Integer.valueOf(text));
            }
            if (type == long.class) {
                return Optional.of(Long.valueOf(text));
            }
        } catch (NumberFormatException notOne) {
            return Optional.empty();
        }
        if (type == double.class) {
            return DECIMAL.matcher(text).matches()
                    ? Optional.of(Double.valueOf(text))
                    : Optional.empty();
        }
        if (type == boolean.class) {
            return text.equals("true") || text.equals("false")
                    ? Optional.of(Boolean.valueOf(text))
                    : Optional.empty();
        }
        if (type == Duration.class) {
            return duration(text);
        }
        if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> (Object) constant)
                    .filter(constant -> enumText(constant).equals(text))
                    .findFirst();
        }
        return Optional.of(text);
    }

    /** The value as a recipe writes it. */
    static String text(Object value) {
        if (value instanceof Duration duration) {
            return durationText(duration);
        }
        return value.getClass().isEnum() ? enumText(value) : value.toString();
    }

    private static Optional<Object> duration(String text) {
        Matcher matcher = DURATION.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        long amount = Long.parseLong(matcher.group(1));
        return Optional.of(
                switch (matcher.group(2)) {
                    case "ms" -> Duration.ofMillis(amount);
                    case "s" -> Duration.ofSeconds(amount);
                    case "m" -> Duration.ofMinutes(amount);
                    case "h" -> Duration.ofHours(amount);
                    default -> Duration.ofDays(amount);
                });
    }

    private static String durationText(Duration value) {
        long millis = value.toMillis();
        if (millis % 86_400_000 == 0 && millis > 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0 && millis > 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0 && millis > 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1000 == 0 ? millis / 1000 + "s" : millis + "ms";
    }

    private static String enumText(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    private static String enumWords(Class<?> type) {
        return Arrays.stream(type.getEnumConstants())
                .map(SettingType::enumText)
                .collect(Collectors.joining(", "));
    }
}
