package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Fields of rows in the several shapes that datasets have them in. */
final class RowFields {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern QUOTED =
            Pattern.compile("'((?:[^'\\\\]|\\\\.)*)'|\"((?:[^\"\\\\]|\\\\.)*)\"");

    private RowFields() {}

    /** A text or a number as text; empty when there is none. */
    static String text(JsonNode row, String field) {
        JsonNode value = row.path(field);
        return value.isValueNode() && !value.isNull() ? value.asText() : "";
    }

    /** A text that must be there. */
    static String required(JsonNode row, String field) throws RowException {
        String value = text(row, field);
        if (value.isBlank()) {
            throw new RowException("'" + field + "' is missing");
        }
        return value;
    }

    /** An object, or the only element of a list, or such a thing as JSON text; else nothing. */
    static JsonNode object(JsonNode value) throws RowException {
        JsonNode found = value;
        if (value.isTextual() && !value.asText().isBlank()) {
            try {
                found = JSON.readTree(value.asText());
            } catch (JsonProcessingException e) {
                throw new RowException("an object is expected, not '" + start(value) + "'");
            }
        }
        if (found.isArray()) {
            if (found.size() > 1) {
                throw new RowException("one object is expected, not " + found.size());
            }
            found = found.path(0);
        }
        return found.isObject() ? found : JSON.createObjectNode();
    }

    /** Names of tests: a list, a list as JSON or Python text, or one name. */
    static List<String> names(JsonNode row, String field) throws RowException {
        JsonNode value = row.path(field);
        if (value.isArray()) {
            return texts(field, value);
        }
        if (value.isMissingNode() || value.isNull()) {
            return List.of();
        }
        if (!value.isTextual()) {
            throw new RowException("'" + field + "' is no list of names");
        }
        String text = value.asText().strip();
        if (!text.startsWith("[")) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        try {
            return texts(field, JSON.readTree(text));
        } catch (JsonProcessingException e) {
            return literals(text);
        }
    }

    private static List<String> texts(String field, JsonNode array) throws RowException {
        List<String> names = new ArrayList<>();
        for (JsonNode name : array) {
            if (!name.isTextual()) {
                throw new RowException("'" + field + "' holds something that is no name");
            }
            names.add(name.asText());
        }
        return List.copyOf(names);
    }

    private static List<String> literals(String text) {
        List<String> names = new ArrayList<>();
        Matcher quoted = QUOTED.matcher(text);
        while (quoted.find()) {
            String content = quoted.group(1) != null ? quoted.group(1) : quoted.group(2);
            names.add(content.replaceAll("\\\\(['\"\\\\])", "$1"));
        }
        return List.copyOf(names);
    }

    /** Shell text: one command, or several that all have to succeed. */
    static String command(JsonNode value) {
        if (!value.isArray()) {
            return value.isTextual() ? value.asText() : "";
        }
        List<String> commands = new ArrayList<>();
        value.forEach(command -> commands.add(command.asText()));
        return String.join(" && ", commands);
    }

    private static String start(JsonNode value) {
        String text = value.asText();
        return text.substring(0, Math.min(40, text.length()));
    }
}
