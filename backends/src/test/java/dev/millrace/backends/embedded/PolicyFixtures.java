package dev.millrace.backends.embedded;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.SplittableRandom;

/** Small things that tests of this package share. */
final class PolicyFixtures {
    static final ModelShape TINY = new ModelShape(11, 8, 2, 2);
    static final AdamSpec ADAM = new AdamSpec(1e-2, 0.9, 0.95, 1e-8, 0, 1);

    private PolicyFixtures() {}

    /** A random sequence; the first half is given, the rest was said. */
    static Datum datum(long seed, int vocabulary, int length, double advantage) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] tokens = new int[length];
        float[] advantages = new float[length];
        float[] behavior = new float[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = random.nextInt(vocabulary);
            if (i >= length / 2) {
                advantages[i] = (float) advantage;
                behavior[i] = (float) -random.nextDouble(1.5, 3.0);
            }
        }
        return new Datum(tokens, advantages, behavior);
    }

    static PolicyRef ref(String uri) {
        return new PolicyRef(new PolicyVersion(1, 0), uri);
    }

    static SampleRequest request(String uri, int[] prompt, long seed) {
        return new SampleRequest("effect-" + seed, ref(uri), prompt, 12, 1.0, seed);
    }

    static int[] tokens(long seed, int vocabulary, int length) {
        return datum(seed, vocabulary, length, 1).tokens();
    }
}
