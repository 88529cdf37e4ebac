package dev.millrace.udfs.agent;

import java.util.List;
import java.util.Map;

/** A part of a template. */
@FunctionalInterface
interface TemplateNode {

    /** Appends what it comes to; may set variables of the scope. */
    void render(Map<String, Object> scope, StringBuilder out);

    /**
     * One of the ways that an {@code if} may go.
     *
     * @param condition a truth value
     * @param body what it comes to then
     */
    record Branch(Expression condition, List<TemplateNode> body) {}

    static TemplateNode text(String text) {
        return (scope, out) -> out.append(text);
    }

    /** A text that a value comes to. */
    static TemplateNode value(Expression value) {
        return (scope, out) -> out.append(value.in(scope));
    }

    static TemplateNode assignment(String name, Expression value) {
        return (scope, out) -> scope.put(name, value.in(scope));
    }

    /** The first branch that holds. */
    static TemplateNode choice(List<Branch> branches) {
        return (scope, out) -> {
            for (Branch branch : branches) {
                if (branch.condition().in(scope).equals(true)) {
                    branch.body().forEach(node -> node.render(scope, out));
                    return;
                }
            }
        };
    }
}
