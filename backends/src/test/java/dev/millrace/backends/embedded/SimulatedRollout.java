package dev.millrace.backends.embedded;

import dev.millrace.backends.exampletasks.ExampleTask;
import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.Datum;
import java.util.Arrays;
import java.util.SortedMap;
import java.util.SplittableRandom;

/** Plays attempts against {@link SimulatedShell}. */
final class SimulatedRollout {
    static final int MAX_TOKENS = 18;
    private static final PrefixCache PREFIXES = new PrefixCache(64);
    private static final TurnRenderer RENDERER = new TurnRenderer();

    /** A finished attempt; the log-probabilities are NaN where the policy said nothing. */
    record Attempt(int[] tokens, float[] logprobs, boolean solved) {
        Datum datum(double weight) {
            float[] weights = new float[tokens.length];
            float[] behavior = new float[tokens.length];
            for (int i = 0; i < tokens.length; i++) {
                boolean said = !Float.isNaN(logprobs[i]);
                weights[i] = said ? (float) weight : 0f;
                behavior[i] = said ? logprobs[i] : 0f;
            }
            return new Datum(tokens, weights, behavior);
        }

        int said() {
            int count = 0;
            for (float logprob : logprobs) {
                count += Float.isNaN(logprob) ? 0 : 1;
            }
            return count;
        }
    }

    private final ExampleTask task;
    private final SimulatedShell shell;
    private final SimulatedShell seenShell;
    private int[] tokens;
    private float[] logprobs;

    /**
     * @param seen whose observations the policy gets; usually the task itself
     */
    private SimulatedRollout(ExampleTask task, ExampleTask seen) {
        this.task = task;
        shell = new SimulatedShell(task.repository());
        seenShell = new SimulatedShell(seen.repository());
        tokens = RENDERER.start(task.instruction());
        logprobs = new float[tokens.length];
        Arrays.fill(logprobs, Float.NaN);
    }

    static Attempt play(ServedPolicy policy, ExampleTask task, double temperature, long seed) {
        return play(policy, task, task, temperature, seed);
    }

    static Attempt play(
            ServedPolicy policy,
            ExampleTask task,
            ExampleTask seen,
            double temperature,
            long seed) {
        SimulatedRollout rollout = new SimulatedRollout(task, seen);
        SplittableRandom random = new SplittableRandom(seed);
        for (int turn = 0; turn < TurnRenderer.MAX_TURNS; turn++) {
            Inference inference = read(policy, rollout.tokens);
            int from = rollout.tokens.length;
            boolean stopped = false;
            for (int i = 0; i < MAX_TOKENS && !stopped; i++) {
                int token =
                        TokenChoice.choose(inference.logits(), temperature, random.nextDouble());
                rollout.append(new int[] {token}, TokenChoice.logprob(inference.logits(), token));
                stopped = token == Vocabulary.END_OF_TURN;
                if (!stopped) {
                    inference.read(rollout.tokens, rollout.tokens.length - 1);
                }
            }
            if (!rollout.act(from, stopped, turn)) {
                break;
            }
        }
        return rollout.finish();
    }

    /** The attempt of a demonstrator who says these commands. */
    static Attempt demonstrate(ExampleTask task, String... commands) {
        SimulatedRollout rollout = new SimulatedRollout(task, task);
        for (int turn = 0; turn < commands.length; turn++) {
            int from = rollout.tokens.length;
            rollout.append(TurnRenderer.turn(commands[turn]), 0f);
            if (!rollout.act(from, true, turn)) {
                break;
            }
        }
        return rollout.finish();
    }

    private static Inference read(ServedPolicy policy, int[] tokens) {
        String key = Integer.toString(System.identityHashCode(policy));
        Inference known = PREFIXES.find(key, tokens);
        Inference inference = known == null ? new Inference(policy) : known;
        if (inference.length() < tokens.length) {
            inference.read(tokens, inference.length());
            PREFIXES.keep(key, tokens, inference);
        }
        return inference;
    }

    private boolean act(int from, boolean stopped, int turn) {
        int[] completion = Arrays.copyOfRange(tokens, from, tokens.length);
        Action action = RENDERER.parse(completion, stopped);
        if (action.kind() == Action.Kind.FINAL) {
            return false;
        }
        String observation = action.feedback();
        if (action.kind() == Action.Kind.COMMAND) {
            shell.run(action.command());
            observation = seenShell.run(action.command());
        }
        if (turn + 1 >= TurnRenderer.MAX_TURNS) {
            return false;
        }
        append(RENDERER.observe(completion, stopped, observation, turn + 1), Float.NaN);
        return true;
    }

    private void append(int[] more, float logprob) {
        int from = tokens.length;
        tokens = Arrays.copyOf(tokens, from + more.length);
        logprobs = Arrays.copyOf(logprobs, from + more.length);
        System.arraycopy(more, 0, tokens, from, more.length);
        Arrays.fill(logprobs, from, tokens.length, logprob);
    }

    private Attempt finish() {
        return new Attempt(tokens, logprobs, sources(shell.files()).equals(repaired(task)));
    }

    static SortedMap<String, String> repaired(ExampleTask task) {
        SimulatedShell fixed = new SimulatedShell(task.repository());
        fixed.run(task.repair());
        return sources(fixed.files());
    }

    static SortedMap<String, String> sources(SortedMap<String, String> files) {
        SortedMap<String, String> sources = new java.util.TreeMap<>(files);
        sources.keySet().removeIf(path -> !path.endsWith(".py"));
        return sources;
    }
}
