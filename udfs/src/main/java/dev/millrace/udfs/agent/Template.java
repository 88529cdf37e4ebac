package dev.millrace.udfs.agent;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Text with places to fill in, in a part of Jinja's language: {@code {{ value }}}, {@code {% if %}}
 * with {@code elif} and {@code else}, {@code {% set name = value %}}, comments, and {@code -} next
 * to a mark to drop the blanks on that side. Values are variables, their parts ({@code a.b}),
 * slices ({@code [:n]}, {@code [-n:]}), numbers, texts, lists, {@code + - ~}, comparisons, {@code
 * in}, {@code and or not}, {@code is defined}, and the filters {@code length}, {@code trim} and
 * {@code tojson}. Lengths and slices of texts count code points. A variable that is not there is an
 * error, as with Jinja's strict undefined. Nothing can be called and nothing loops, so that filling
 * in always ends. Immutable.
 */
public final class Template {
    /** Deepest nesting of blocks and parentheses. */
    static final int DEEPEST = 50;

    private final List<TemplateNode> nodes;

    private Template(List<TemplateNode> nodes) {
        this.nodes = nodes;
    }

    /**
     * Reads a template. One line break at its end does not count.
     *
     * @param name what errors call it
     * @throws TemplateException when it is none
     */
    public static Template parse(String name, String text) {
        return new Template(new TemplateParser(name, TemplateLexer.split(name, text)).parse());
    }

    /**
     * Fills it in.
     *
     * @param values texts, whole numbers, truth values, lists, and maps from name to value
     * @throws TemplateException when a value is missing or does not fit what is done with it
     */
    public String render(Map<String, ?> values) {
        Map<String, Object> scope = new HashMap<>(values);
        StringBuilder out = new StringBuilder();
        nodes.forEach(node -> node.render(scope, out));
        return out.toString();
    }
}
