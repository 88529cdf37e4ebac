package dev.millrace.bench.sim.client;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.bench.sim.SimTokens;
import dev.millrace.bench.sim.WorkChain;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The token language of the simulated policy. */
public final class SimRenderer implements ChatRenderer {
    private static final String TASK = "task ";

    /** What the policy reads of a task. */
    static String instruction(int task) {
        return TASK + task;
    }

    @Override
    public int[] start(String instruction) {
        return SimTokens.prompt(Integer.parseInt(instruction.substring(TASK.length())));
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        if (SimTokens.isFinal(completion)) {
            return new Action(Action.Kind.FINAL, "", "");
        }
        if (SimTokens.isCommand(completion)) {
            long attempt = SimTokens.attempt(completion).orElseThrow();
            String command = WorkChain.command(attempt, SimTokens.turnOf(completion));
            return new Action(Action.Kind.COMMAND, command, "");
        }
        return new Action(Action.Kind.FORMAT_ERROR, "", "that is no turn");
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return SimTokens.observed(observation, count(observation));
    }

    @Override
    public String describe(ExecResult result) {
        return result.exitCode() + " " + new String(result.output(), StandardCharsets.UTF_8);
    }

    /** The service says how many tokens its output stands for. */
    private static int count(String observation) {
        List<String> words = List.of(observation.split(" ", -1));
        boolean said = words.size() == 5 && words.get(1).equals("did");
        return said ? Integer.parseInt(words.get(3)) : 4;
    }
}
