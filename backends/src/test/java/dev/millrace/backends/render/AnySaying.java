package dev.millrace.backends.render;

import dev.millrace.backends.port.Completion;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.Sampler;
import dev.millrace.udfs.model.PolicyRef;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** Says commands, broken commands, noise, or nothing; ends its turn or is cut off. */
final class AnySaying implements Sampler {
    private static final int IDS = 700;

    private final SplittableRandom random;
    private final TextTokenizer tokenizer;
    private final Form form;
    final List<int[]> prompts = new ArrayList<>();
    final List<int[]> said = new ArrayList<>();

    /** How it writes commands. */
    enum Form {
        JSON,
        XML,
        FENCED
    }

    AnySaying(long seed, TextTokenizer tokenizer, Form form) {
        this.random = new SplittableRandom(seed);
        this.tokenizer = tokenizer;
        this.form = form;
    }

    @Override
    public CompletableFuture<Completion> sample(SampleRequest request) {
        boolean ends = random.nextInt(4) > 0;
        int[] turn = turn();
        int[] whole =
                ends && random.nextInt(5) > 0
                        ? TokenExactnessTest.joined(turn, new int[] {tokenizer.mark("<|im_end|>")})
                        : turn;
        if (whole.length == 0) {
            whole = new int[] {tokenizer.mark("<|endoftext|>")};
        }
        prompts.add(request.prompt());
        said.add(whole);
        float[] logprobs = new float[whole.length];
        Arrays.fill(logprobs, -1);
        return CompletableFuture.completedFuture(
                new Completion(whole, logprobs, request.policy().version(), ends));
    }

    private int[] turn() {
        return switch (random.nextInt(4)) {
            case 0 -> random.ints(random.nextInt(30), 0, IDS).toArray();
            case 1 -> tokens("x</think>" + unclosed(action(false)));
            default ->
                    tokens(
                            "  why\n</think>\n\n"
                                    + action(true)
                                    + (random.nextBoolean() ? "" : "\n" + action(false)));
        };
    }

    private int[] tokens(String text) {
        return tokenizer.encode(tokenizer.markup().template(text));
    }

    private static String unclosed(String action) {
        return action.substring(0, action.length() - 3);
    }

    private String action(boolean lines) {
        String command =
                switch (random.nextInt(9)) {
                    case 0, 1, 2 -> "nonsense é";
                    case 3 -> "COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT";
                    default -> "write " + random.nextInt(2);
                };
        String around = lines ? "\n" : "";
        return switch (form) {
            case FENCED -> "```mswea_bash_command\n" + command + "\n```" + around;
            case JSON ->
                    "<tool_call>"
                            + around
                            + "{\"name\": \"bash\", \"arguments\": {\"command\": \""
                            + command
                            + "\"}}"
                            + around
                            + "</tool_call>";
            case XML ->
                    "<tool_call>"
                            + around
                            + "<function=bash>\n<parameter=command>\n"
                            + command
                            + "\n</parameter>\n</function>"
                            + around
                            + "</tool_call>";
        };
    }

    @Override
    public CompletableFuture<float[]> computeLogprobs(PolicyRef policy, int[] tokens) {
        return CompletableFuture.completedFuture(new float[tokens.length]);
    }

    @Override
    public void close() {
        // Nothing is held.
    }
}
