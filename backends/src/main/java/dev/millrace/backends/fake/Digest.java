package dev.millrace.backends.fake;

import dev.millrace.backends.port.Datum;
import java.util.Arrays;

/** Digests that stand for numbers too costly to compute. */
final class Digest {
    private Digest() {}

    /** A function of both whose result says which came first. */
    static long mix(long before, long next) {
        long z = before * 0x9e3779b97f4a7c15L + next;
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    static long of(Datum datum) {
        long digest = mix(Arrays.hashCode(datum.tokens()), Arrays.hashCode(datum.advantages()));
        return mix(digest, Arrays.hashCode(datum.behaviorLogprobs()));
    }
}
