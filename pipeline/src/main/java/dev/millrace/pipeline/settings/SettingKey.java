package dev.millrace.pipeline.settings;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * One setting of the schema.
 *
 * @param path full key, for instance {@code train.steps}
 * @param type of its value
 * @param setting its description
 */
record SettingKey(String path, Class<?> type, Setting setting) {

    boolean required() {
        return setting.byDefault().equals(Setting.REQUIRED);
    }

    /** The default; of a required setting something of the right type. */
    Object fallback() {
        if (!required()) {
            return parsed(setting.byDefault());
        }
        if (type.isEnum()) {
            return type.getEnumConstants()[0];
        }
        return type == String.class ? "" : parsed(setting.min());
    }

    /** The allowed range or form in words, empty when everything of the type is allowed. */
    String rangeWords() {
        if (!setting.pattern().isEmpty()) {
            return setting.patternAbout();
        }
        if (!setting.min().isEmpty() && !setting.max().isEmpty()) {
            return setting.min() + " to " + setting.max();
        }
        if (!setting.min().isEmpty()) {
            return "at least " + setting.min();
        }
        return setting.max().isEmpty() ? "" : "at most " + setting.max();
    }

    /** What is wrong with a value of the right type, or nothing. */
    Optional<String> refusal(Object value) {
        boolean below = !setting.min().isEmpty() && compare(value, parsed(setting.min())) < 0;
        boolean above = !setting.max().isEmpty() && compare(value, parsed(setting.max())) > 0;
        if (below || above) {
            return Optional.of(
                    "is " + SettingType.text(value) + ", must be " + withVerb(rangeWords()));
        }
        boolean wrongForm =
                !setting.pattern().isEmpty() && !Pattern.matches(setting.pattern(), (String) value);
        return wrongForm
                ? Optional.of("is \"" + value + "\", must be " + setting.patternAbout())
                : Optional.empty();
    }

    private static String withVerb(String words) {
        return words.startsWith("at ") ? words : "from " + words;
    }

    private Object parsed(String text) {
        return SettingType.parse(type, text)
                .orElseThrow(() -> new IllegalStateException(path + ": bad bound or default"));
    }

    @SuppressWarnings("unchecked")
    private static int compare(Object left, Object right) {
        return ((Comparable<Object>) left).compareTo(right);
    }
}
