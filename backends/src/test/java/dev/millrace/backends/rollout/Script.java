package dev.millrace.backends.rollout;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.udfs.model.PolicyRef;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A policy that runs the same commands in every attempt, one a turn, and then is done. */
final class Script implements Sampler, ChatRenderer {
    /** Stands for the end of a step that others follow. */
    static final String SUBMIT = "submit";

    private final List<String> commands;

    Script(String... commands) {
        this.commands = List.of(commands);
    }

    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        return CompletableFuture.completedFuture(answer(request));
    }

    /** The token is the number of the turn. */
    static Completion answer(SampleRequest request) {
        String id = request.effectId();
        int turn = Integer.parseInt(id.substring(id.lastIndexOf('.') + 1));
        return new Completion(
                new int[] {turn}, new float[] {-0.5f}, request.policy().version(), true);
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        return CompletableFuture.completedFuture(new float[tokens.length]);
    }

    @Override
    public int[] start(String instruction) {
        return new int[] {100};
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        return completion[0] < commands.size() && !commands.get(completion[0]).equals(SUBMIT)
                ? new Action(Action.Kind.COMMAND, commands.get(completion[0]), "")
                : new Action(Action.Kind.FINAL, "", "");
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return observation.chars().map(c -> 100 + c).toArray();
    }

    @Override
    public String describe(ExecResult result) {
        return result.exitCode() + " " + new String(result.output(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {}
}
