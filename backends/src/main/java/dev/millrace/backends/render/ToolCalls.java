package dev.millrace.backends.render;

import dev.millrace.backends.port.Action;
import java.util.List;

/**
 * Reads what a model wants from what it said after its thinking. A call that is not exactly as
 * asked for is told to the model, with what is wrong about it.
 */
final class ToolCalls {
    private static final String OPEN = "<tool_call>";
    private static final String CLOSE = "</tool_call>";
    private static final String THOUGHT = "</think>";

    private final boolean xml;

    ToolCalls(boolean xml) {
        this.xml = xml;
    }

    Action read(String said) {
        String answer = said.substring(said.lastIndexOf(THOUGHT) < 0 ? 0 : afterThought(said));
        try {
            List<String> calls = Between.all(answer, OPEN, CLOSE);
            if (calls.isEmpty()) {
                return new Action(Action.Kind.FINAL, "", "");
            }
            if (calls.size() > 1) {
                throw new MalformedCallException(
                        "there are " + calls.size() + " calls; make one call a turn");
            }
            String command = xml ? XmlCall.command(calls.get(0)) : JsonCall.command(calls.get(0));
            if (command.isBlank() || command.indexOf('\0') >= 0) {
                throw new MalformedCallException(
                        command.isBlank() ? "the command is empty" : "the command holds a NUL");
            }
            return new Action(Action.Kind.COMMAND, command, "");
        } catch (MalformedCallException e) {
            return malformed(e.getMessage());
        }
    }

    private static int afterThought(String said) {
        return said.lastIndexOf(THOUGHT) + THOUGHT.length();
    }

    static Action malformed(String why) {
        return new Action(
                Action.Kind.FORMAT_ERROR, "", "Tool call not understood, nothing was run: " + why);
    }
}
