package dev.millrace.pipeline.settings;

import java.lang.reflect.RecordComponent;
import java.time.Duration;

/** Writes a recipe as YAML. */
final class RecipeWriter {
    private RecipeWriter() {}

    static String yaml(Recipe recipe) {
        StringBuilder text = new StringBuilder();
        append(text, recipe, "");
        return text.toString();
    }

    /** The value of a component. */
    static Object value(Object settings, RecordComponent component) {
        try {
            return component.getAccessor().invoke(settings);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(component + " can't be read", e);
        }
    }

    private static void append(StringBuilder text, Object settings, String indent) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = value(settings, component);
            text.append(indent).append(component.getName()).append(':');
            if (value instanceof Record) {
                text.append('\n');
                append(text, value, indent + "  ");
            } else {
                text.append(' ').append(scalar(value)).append('\n');
            }
        }
    }

    private static String scalar(Object value) {
        boolean text = value instanceof String || value instanceof Duration;
        return text ? quoted(SettingType.text(value)) : SettingType.text(value);
    }

    /** Bare when YAML can't take it for anything but this text, else in double quotes. */
    private static String quoted(String text) {
        if (text.matches("[a-z0-9][A-Za-z0-9_/()-]*")
                && !text.matches("[0-9._]+|true|false|null|yes|no|on|off")) {
            return text;
        }
        StringBuilder escaped = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                escaped.append('\\').append(c);
            } else if (c < 0x20) {
                escaped.append(String.format("\\x%02x", (int) c));
            } else {
                escaped.append(c);
            }
        }
        return escaped.append('"').toString();
    }
}
