package dev.millrace.backends.render;

import dev.millrace.backends.port.Action;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads what a model wants from what it said after its thinking: any number of calls, which are run
 * in their order. When one of them is not exactly as asked for, the model is told what is wrong
 * about it, and none is run.
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
            List<String> commands = new ArrayList<>();
            for (String call : calls) {
                commands.add(command(call));
            }
            return Action.commands(commands);
        } catch (MalformedCallException e) {
            return malformed(e.getMessage());
        }
    }

    private String command(String call) throws MalformedCallException {
        String command = xml ? XmlCall.command(call) : JsonCall.command(call);
        if (command.isBlank() || command.indexOf('\0') >= 0) {
            throw new MalformedCallException(
                    command.isBlank() ? "the command is empty" : "the command holds a NUL");
        }
        return command;
    }

    private static int afterThought(String said) {
        return said.lastIndexOf(THOUGHT) + THOUGHT.length();
    }

    static Action malformed(String why) {
        return new Action(
                Action.Kind.FORMAT_ERROR, "", "Tool call not understood, nothing was run: " + why);
    }
}
