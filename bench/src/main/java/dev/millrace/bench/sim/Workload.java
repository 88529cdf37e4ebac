package dev.millrace.bench.sim;

import java.util.SplittableRandom;

/**
 * What software-engineering attempts do and how long it takes, in virtual time. Every number is
 * drawn by (seed, task, attempt, turn).
 *
 * @param seed of all draws
 * @param turnsMedian median number of turns
 * @param maxTurns most turns
 * @param tokenShare share of the tokens that are really made; times are those of all tokens
 * @param attemptLoss share of attempts whose sandbox can't be created
 * @param malformed share of turns that can't be parsed
 * @param pace what all times are multiplied with
 */
public record Workload(
        long seed,
        double turnsMedian,
        int maxTurns,
        double tokenShare,
        double attemptLoss,
        double malformed,
        double pace) {
    private static final double TOKENS_PER_SECOND = 60;
    private static final int TURN_TOKENS_CAP = 8192;
    private static final int OBSERVATION_TOKENS_CAP = 5000;

    /** What one turn of the policy is. */
    enum Kind {
        /** Runs a command. */
        COMMAND(4),
        /** Says that it is done. */
        FINAL(5),
        /** Can't be parsed. */
        MALFORMED(6);

        /** What stands for it in a sequence of tokens. */
        final int token;

        Kind(int token) {
            this.token = token;
        }

        /** The kind that a token stands for; others are malformed. */
        static Kind of(int token) {
            return token == COMMAND.token ? COMMAND : token == FINAL.token ? FINAL : MALFORMED;
        }
    }

    /** SWE-H: long attempts with heavy tails. */
    public static Workload sweH(long seed) {
        return new Workload(seed, 22, 75, 1.0, 0.0, 0.01, 1);
    }

    /** The same tails with few turns and few tokens, for two cores. */
    public static Workload small(long seed) {
        return new Workload(seed, 6, 12, 0.04, 0.02, 0.01, 1);
    }

    /**
     * The small one with times of a small model that is served and trained nearby: a turn takes
     * some 0.3 s, a minibatch 1.8 s, so that steps come every few seconds of real time.
     */
    public static Workload quick(long seed) {
        return new Workload(seed, 6, 12, 0.04, 0.02, 0.01, 0.04);
    }

    /**
     * A workload by its name.
     *
     * @throws IllegalArgumentException for a name that there is not
     */
    public static Workload named(String name, long seed) {
        return switch (name) {
            case "swe-h" -> sweH(seed);
            case "small" -> small(seed);
            case "quick" -> quick(seed);
            default ->
                    throw new IllegalArgumentException(
                            "there is no workload " + name + "; one of swe-h, small, quick");
        };
    }

    /** How often a task is solved: 30 % never, 10 % always, the rest by Beta(0.9, 1.6). */
    double solveRate(int task) {
        SplittableRandom random = Draws.of(seed, "solve", task);
        double part = random.nextDouble();
        if (part < 0.3) {
            return 0;
        }
        return part < 0.4 ? 1 : Draws.beta(random, 0.9, 1.6);
    }

    /** Whether an attempt solves its task. */
    boolean solved(int task, long attempt) {
        return Draws.of(seed, "solved", task, attempt).nextDouble() < solveRate(task);
    }

    /** Number of turns of an attempt, the last of which is final. */
    int turns(int task, long attempt) {
        double drawn = Draws.logNormal(Draws.of(seed, "turns", task, attempt), turnsMedian, 0.55);
        return (int) Math.max(2, Math.min(maxTurns, Math.round(drawn)));
    }

    /** What the policy does with a turn. */
    Kind kind(int task, long attempt, int turn) {
        if (turn >= turns(task, attempt) - 1) {
            return Kind.FINAL;
        }
        boolean broken = Draws.of(seed, "malformed", attempt, turn).nextDouble() < malformed;
        return broken ? Kind.MALFORMED : Kind.COMMAND;
    }

    /** Tokens of a turn, as many as are really made. */
    int turnTokens(long attempt, int turn) {
        return share(drawnTurnTokens(attempt, turn));
    }

    /** Time to the first token plus the time that all tokens take. */
    long sampleMillis(long attempt, int turn) {
        double first = Draws.logNormal(Draws.of(seed, "ttft", attempt, turn), 0.6, 0.5);
        return millis(first + drawnTurnTokens(attempt, turn) / TOKENS_PER_SECOND);
    }

    /** Tokens of what a command prints, as many as are really made. */
    int observationTokens(long attempt, int turn) {
        SplittableRandom random = Draws.of(seed, "observation", attempt, turn);
        return share(Math.min(OBSERVATION_TOKENS_CAP, Draws.logNormal(random, 300, 1.2)));
    }

    /** How long a command takes: mostly short, some tests, a few until their limit. */
    long toolMillis(long attempt, int turn) {
        SplittableRandom random = Draws.of(seed, "tool", attempt, turn);
        double part = random.nextDouble();
        if (part < 0.85) {
            return millis(Draws.logNormal(random, 0.42, 0.6));
        }
        return millis(part < 0.985 ? Math.min(120, Draws.logNormal(random, 8, 1.0)) : 120);
    }

    /** How long a sandbox takes to start and to be prepared. */
    long startMillis(String lease) {
        SplittableRandom random = Draws.of(seed, "start", lease);
        double start = Math.min(115, Draws.logNormal(random, 4, 0.8));
        return millis(start + 8 + (random.nextDouble() < 0.01 ? 60 : 0));
    }

    /** Whether this sandbox can't be created. */
    boolean lost(String lease) {
        return Draws.of(seed, "lost", lease).nextDouble() < attemptLoss;
    }

    /** How long the tests of an attempt take. */
    long gradingMillis(long attempt) {
        return millis(Math.min(1200, Draws.logNormal(Draws.of(seed, "grading", attempt), 45, 0.9)));
    }

    private double drawnTurnTokens(long attempt, int turn) {
        SplittableRandom random = Draws.of(seed, "tokens", attempt, turn);
        return Math.min(TURN_TOKENS_CAP, Draws.logNormal(random, 180, 0.9));
    }

    private int share(double tokens) {
        return (int) Math.max(1, Math.round(tokens * tokenShare));
    }

    /** How long the trainer takes for something that takes so long at pace 1. */
    long trainerMillis(long atPaceOne) {
        return Math.round(atPaceOne * pace);
    }

    private long millis(double seconds) {
        return Math.round(seconds * 1000 * pace);
    }
}
