package dev.millrace.backends.embedded;

import dev.millrace.backends.port.SandboxException;
import java.util.Arrays;
import java.util.List;

/**
 * An attempt that someone else made, to imitate.
 *
 * @param tokens of the whole attempt
 * @param said which of them are the demonstrator's words
 */
public record Demonstration(int[] tokens, boolean[] said) {
    private static final TurnRenderer RENDERER = new TurnRenderer();

    /**
     * Records an attempt.
     *
     * @param instruction of the task
     * @param commands of the demonstrator, {@code exit} last; at most {@link
     *     TurnRenderer#MAX_TURNS}
     * @param runner runs all of them but {@code exit}
     * @throws SandboxException when the runner does
     */
    public static Demonstration record(
            String instruction, List<String> commands, CommandRunner runner)
            throws SandboxException {
        Demonstration attempt = new Demonstration(new int[0], new boolean[0]);
        attempt = attempt.with(RENDERER.start(instruction), false);
        for (int i = 0; i < commands.size(); i++) {
            int[] turn = TurnRenderer.turn(commands.get(i));
            attempt = attempt.with(turn, true);
            if (i + 1 < commands.size()) {
                String seen = runner.run(commands.get(i));
                attempt = attempt.with(RENDERER.observe(turn, true, seen, i + 1), false);
            }
        }
        return attempt;
    }

    /** How many tokens there are to learn. */
    int count() {
        int count = 0;
        for (boolean one : said) {
            count += one ? 1 : 0;
        }
        return count;
    }

    private Demonstration with(int[] more, boolean own) {
        int[] longer = Arrays.copyOf(tokens, tokens.length + more.length);
        System.arraycopy(more, 0, longer, tokens.length, more.length);
        boolean[] flags = Arrays.copyOf(said, longer.length);
        Arrays.fill(flags, tokens.length, longer.length, own);
        return new Demonstration(longer, flags);
    }
}
