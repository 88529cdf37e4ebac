package dev.millrace.backends.harbor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Typed look at {@code task.toml}; what doesn't fit becomes a problem and reads as absent. */
final class TaskToml {
    private static final Pattern SIZE = Pattern.compile("(\\d+(?:\\.\\d+)?)\\s*([GMK])B?");

    private final Path file;
    private final JsonNode root;
    private final List<HarborProblem> problems;
    private final String prefix;

    private TaskToml(Path file, JsonNode root, List<HarborProblem> problems, String prefix) {
        this.file = file;
        this.root = root;
        this.problems = problems;
        this.prefix = prefix;
    }

    static TaskToml parse(Path file, String text, List<HarborProblem> problems) {
        JsonNode root = MissingNode.getInstance();
        try {
            root = new TomlMapper().readTree(text);
        } catch (JsonProcessingException e) {
            String line = e.getLocation() == null ? "" : "line " + e.getLocation().getLineNr();
            String message = "not valid TOML: " + e.getOriginalMessage();
            problems.add(new HarborProblem(file.toString(), line, message, "correct the syntax"));
        }
        return new TaskToml(file, root, problems, "");
    }

    /** The part below a key; what is wrong there is named from the top of the file. */
    TaskToml section(String key) {
        return new TaskToml(file, node(key), problems, named(key) + ".");
    }

    /** The elements of a list, each with the empty key for itself. */
    List<TaskToml> items(String key) {
        List<TaskToml> found = new ArrayList<>();
        value(key, JsonNode::isArray, "a list")
                .ifPresent(
                        list -> {
                            for (JsonNode item : list) {
                                String name = named(key) + "[" + found.size() + "].";
                                found.add(new TaskToml(file, item, problems, name));
                            }
                        });
        return found;
    }

    /** The texts of a list. */
    List<String> texts(String key) {
        return items(key).stream().flatMap(item -> item.text("").stream()).toList();
    }

    /** Names of what is directly below. */
    List<String> names() {
        List<String> found = new ArrayList<>();
        root.fieldNames().forEachRemaining(found::add);
        return found;
    }

    boolean isTable() {
        return root.isObject();
    }

    boolean isText() {
        return root.isTextual();
    }

    /** A key's name from the top of the file. */
    String named(String key) {
        return key.isEmpty() ? prefix.substring(0, prefix.length() - 1) : prefix + key;
    }

    void problem(String key, String message, String remedy) {
        problems.add(new HarborProblem(file.toString(), named(key), message, remedy));
    }

    /** Whether something that means anything is there. */
    boolean has(String key) {
        JsonNode node = node(key);
        return !node.isMissingNode()
                && !node.isNull()
                && !(node.isContainerNode() && node.isEmpty());
    }

    Optional<String> text(String key) {
        return value(key, JsonNode::isTextual, "a text").map(JsonNode::textValue);
    }

    /** A user, by name or by number; empty for none. */
    String user(String key) {
        return value(key, node -> node.isTextual() || node.isInt(), "a name or a number")
                .map(JsonNode::asText)
                .orElse("");
    }

    Optional<Boolean> flag(String key) {
        return value(key, JsonNode::isBoolean, "true or false").map(JsonNode::booleanValue);
    }

    /** A number above zero. */
    Optional<Double> positive(String key) {
        return value(key, node -> node.isNumber() && node.doubleValue() > 0, "a number above 0")
                .map(JsonNode::doubleValue);
    }

    /** Milliseconds, from a number of seconds that may be zero. */
    long secondsOrZero(String key, double otherwise) {
        return isZero(key) && has(key) ? 0 : seconds(key, otherwise);
    }

    /** Milliseconds, from a number of seconds. */
    long secondsOr(String key, long otherwiseMillis) {
        return positive(key).map(seconds -> Math.round(1000 * seconds)).orElse(otherwiseMillis);
    }

    /** A table of numbers; a number alone is the one of that name. */
    Map<String, Double> numbers(String key, String only) {
        if (!has(key)) {
            return Map.of();
        }
        if (node(key).isNumber()) {
            return Map.of(only, node(key).doubleValue());
        }
        Map<String, Double> found = new LinkedHashMap<>();
        TaskToml table = section(key);
        if (!table.isTable()) {
            problem(key, "is neither a number nor a table of numbers", "correct the value");
        }
        for (String name : table.names()) {
            table.value(name, JsonNode::isNumber, "a number")
                    .ifPresent(number -> found.put(name, number.doubleValue()));
        }
        return Map.copyOf(found);
    }

    /** Absent counts as zero. */
    boolean isZero(String key) {
        return !has(key) || (node(key).isNumber() && node(key).doubleValue() == 0);
    }

    long seconds(String key, double otherwise) {
        return Math.round(1000 * positive(key).orElse(otherwise));
    }

    /** Mebibytes, from a number or from an old text such as {@code 2G}. */
    Optional<Integer> megabytes(String key, String oldKey) {
        Optional<Integer> current = positive(key).map(Double::intValue);
        Optional<Integer> old = text(oldKey).flatMap(text -> size(oldKey, text));
        if (current.isPresent() && old.isPresent() && !current.equals(old)) {
            problem(oldKey, "differs from " + named(key), "remove " + oldKey);
        }
        return current.or(() -> old);
    }

    private Optional<Integer> size(String key, String text) {
        Matcher matcher = SIZE.matcher(text.trim().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            problem(key, "'" + text + "' is no size", "write a number with G, M or K behind it");
            return Optional.empty();
        }
        double number = Double.parseDouble(matcher.group(1));
        double factor = Map.of("G", 1024.0, "M", 1.0, "K", 1 / 1024.0).get(matcher.group(2));
        return Optional.of((int) Math.ceil(number * factor));
    }

    /** Variables, with templates replaced by variables of the host. */
    Map<String, String> variables(String key, Map<String, String> host) {
        Map<String, String> found = new LinkedHashMap<>();
        JsonNode node = node(key);
        if (has(key) && !node.isObject()) {
            problem(key, "is no table", "write [" + named(key) + "] with NAME = \"value\" lines");
            return found;
        }
        node.fields()
                .forEachRemaining(
                        entry -> {
                            String text = entry.getValue().asText();
                            String name = key + "." + entry.getKey();
                            Optional<String> missing = HostTemplate.missing(text, host);
                            missing.ifPresent(
                                    variable ->
                                            problem(
                                                    name,
                                                    "no variable "
                                                            + variable
                                                            + " is handed to tasks",
                                                    "name it in tasks.variables (validate:"
                                                            + " --variable) and set it, or write ${"
                                                            + variable
                                                            + ":-value}"));
                            if (!entry.getKey().matches("[A-Za-z_][A-Za-z0-9_]*")) {
                                problem(name, "is no name of a variable", "rename it");
                            }
                            found.put(entry.getKey(), HostTemplate.resolve(text, host));
                        });
        return found;
    }

    private Optional<JsonNode> value(String key, Predicate<JsonNode> fits, String wanted) {
        if (!has(key)) {
            return Optional.empty();
        }
        JsonNode node = node(key);
        if (!fits.test(node)) {
            problem(key, "is " + node + " and not " + wanted, "correct the value");
            return Optional.empty();
        }
        return Optional.of(node);
    }

    private JsonNode node(String key) {
        JsonNode node = root;
        if (key.isEmpty()) {
            return node;
        }
        for (String part : key.split("\\.", -1)) {
            node = node.path(part);
        }
        return node;
    }
}
