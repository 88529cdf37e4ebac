package dev.millrace.udfs.seed;

import java.nio.charset.StandardCharsets;

/** Seeds that depend on names only, so that the same attempt always gets the same ones. */
public final class Seeds {
    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;
    private static final long GOLDEN = 0x9e3779b97f4a7c15L;

    private Seeds() {}

    /**
     * Seed of one of several runs that are made of one recipe; the first has the recipe's own.
     *
     * @param client from 1
     */
    public static long ofClient(long seed, int client) {
        return client == 1 ? seed : mix(mix(seed) + GOLDEN * client) >>> 1;
    }

    /**
     * Seed of everything that concerns a group. The id of the run in front of the group's name does
     * not count: it is minted at random, and two runs with the same seed play the same.
     */
    public static long ofGroup(long runSeed, String groupId) {
        String name = groupId.substring(groupId.indexOf('/') + 1);
        long hash = FNV_OFFSET;
        for (byte b : name.getBytes(StandardCharsets.UTF_8)) {
            hash = (hash ^ (b & 0xff)) * FNV_PRIME;
        }
        return mix(mix(runSeed) ^ hash);
    }

    /** Seed of everything that an attempt does. */
    public static long ofAttempt(long runSeed, String groupId, int attemptIndex) {
        return mix(ofGroup(runSeed, groupId) + GOLDEN * (attemptIndex + 1L));
    }

    /** Seed of one turn's sampling. */
    public static long ofTurn(long attemptSeed, int turn) {
        return mix(attemptSeed + GOLDEN * (turn + 1L));
    }

    /** The finaliser of SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): a bijection that scatters. */
    static long mix(long value) {
        long z = value + GOLDEN;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }
}
