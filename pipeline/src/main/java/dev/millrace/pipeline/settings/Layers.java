package dev.millrace.pipeline.settings;

import java.io.StringReader;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.Tag;

/** Values as they were written, with their places; later texts win over earlier ones. */
final class Layers {

    /**
     * A value as it was written.
     *
     * @param text the scalar's text
     * @param origin where
     */
    record Written(String text, Origin origin) {}

    private final SettingsSchema schema;
    private final Problems problems;
    private final Map<String, Written> values = new LinkedHashMap<>();
    private int layers;

    Layers(SettingsSchema schema, Problems problems) {
        this.schema = schema;
        this.problems = problems;
    }

    Written get(String path) {
        return values.get(path);
    }

    /** Adds the text of a file. */
    void addYaml(String source, String text) {
        int layer = layers++;
        Node root;
        try {
            Yaml yaml = new Yaml(new SafeConstructor(new LoaderOptions()));
            root = yaml.compose(new StringReader(text));
        } catch (MarkedYAMLException e) {
            int line = e.getProblemMark() == null ? 0 : e.getProblemMark().getLine() + 1;
            problems.add(
                    new Origin(layer, source, line), "", "is not valid YAML: " + e.getProblem());
            return;
        } catch (YAMLException e) {
            problems.add(new Origin(layer, source, 0), "", "is not valid YAML: " + e.getMessage());
            return;
        }
        if (root instanceof MappingNode mapping) {
            addMapping(layer, source, "", mapping);
        } else if (root != null) {
            problems.add(place(layer, source, root), "", "must be a mapping of sections");
        }
    }

    /** Adds an option {@code key=value}. */
    void addOverride(String option) {
        Origin origin = new Origin(layers++, "--set", 0);
        int equals = option.indexOf('=');
        if (equals <= 0) {
            problems.add(origin, option, "must have the form section.key=value");
            return;
        }
        String path = option.substring(0, equals).trim();
        if (schema.key(path).isPresent()) {
            values.put(path, new Written(option.substring(equals + 1).trim(), origin));
        } else if (schema.isSection(path)) {
            problems.add(origin, path, "is a section; set one of its keys, " + path + ".KEY=value");
        } else {
            addUnknown(origin, path);
        }
    }

    private void addMapping(int layer, String source, String prefix, MappingNode mapping) {
        Set<String> seen = new HashSet<>();
        for (NodeTuple tuple : mapping.getValue()) {
            Origin origin = place(layer, source, tuple.getKeyNode());
            if (!(tuple.getKeyNode() instanceof ScalarNode name)) {
                problems.add(origin, "", "a key must be a plain word");
                continue;
            }
            String path = prefix + name.getValue();
            if (!seen.add(path)) {
                problems.add(origin, path, "is given twice");
            } else if (schema.isSection(path)) {
                addSection(layer, source, path, tuple.getValueNode());
            } else if (schema.key(path).isPresent()) {
                addValue(layer, source, path, tuple.getValueNode());
            } else {
                addUnknown(origin, path);
            }
        }
    }

    private void addSection(int layer, String source, String path, Node node) {
        if (node instanceof MappingNode mapping) {
            addMapping(layer, source, path + ".", mapping);
        } else if (!Tag.NULL.equals(node.getTag())) {
            problems.add(place(layer, source, node), path, "is a section, it must hold keys");
        }
    }

    private void addValue(int layer, String source, String path, Node node) {
        Origin origin = place(layer, source, node);
        if (!(node instanceof ScalarNode scalar)) {
            problems.add(origin, path, "must be one value, not a list or a mapping");
        } else if (Tag.NULL.equals(node.getTag())) {
            problems.add(origin, path, "has no value; give one or leave the line out");
        } else {
            values.put(path, new Written(scalar.getValue(), origin));
        }
    }

    private void addUnknown(Origin origin, String path) {
        String hint =
                Suggestion.forKey(path, schema)
                        .map(key -> "; did you mean " + key + "?")
                        .orElse("");
        problems.add(origin, path, "no such setting" + hint);
    }

    private static Origin place(int layer, String source, Node node) {
        return new Origin(layer, source, node.getStartMark().getLine() + 1);
    }
}
