package dev.millrace.backends.port;

import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.List;
import java.util.SplittableRandom;

/** A trainer and a sampler that know each other's policies, for the contracts of both. */
public interface PolicyBackend extends AutoCloseable {
    AdamSpec ADAM = new AdamSpec(1e-2, 0.9, 0.95, 1e-8, 0, 0);
    LossSpec LOSS = new LossSpec(0.8, 1.28);

    PolicyTrainer trainer();

    Sampler sampler();

    /** Number of token ids. */
    int vocabulary();

    /** Whether a publication stays what it was while its session is trained further. */
    default boolean keepsPublications() {
        return true;
    }

    /** How far log-probabilities may depend on what else is asked at the time. */
    default float rounding() {
        return 0;
    }

    /** Whether an update may have several gradients. */
    default boolean addsGradients() {
        return true;
    }

    @Override
    void close();

    /** A random sequence; the first half is given, the rest was said. */
    default Datum datum(long seed, int length, float advantage) {
        SplittableRandom random = new SplittableRandom(seed);
        int[] tokens = new int[length];
        float[] advantages = new float[length];
        float[] behavior = new float[length];
        for (int i = 0; i < length; i++) {
            tokens[i] = random.nextInt(vocabulary());
            if (i >= length / 2) {
                advantages[i] = advantage;
                behavior[i] = (float) -random.nextDouble(2.0, 5.0);
            }
        }
        return new Datum(tokens, advantages, behavior);
    }

    /** Two sequences, one better and one worse than expected. */
    default List<Datum> data(long seed) {
        return List.of(datum(seed, 9, 0.5f), datum(-seed, 12, -0.3f));
    }

    /** One update, its answers waited for. */
    default void step(TrainerSession session, long seed) {
        session.forwardBackward("fb-" + seed, data(seed), LOSS).join();
        session.optimStep("os-" + seed, ADAM).join();
    }

    /** What a publication says about a fixed text: equal for equal weights. */
    default float[] probe(String publication) {
        return sampler().computeLogprobs(ref(publication), datum(99, 24, 0).tokens()).join();
    }

    /** A publication, as a policy. */
    static PolicyRef ref(String uri) {
        return new PolicyRef(new PolicyVersion(1, 0), uri);
    }

    /** Asks for up to 12 tokens at temperature 1. */
    static SampleRequest request(String uri, int[] prompt, long seed) {
        return new SampleRequest("effect-" + seed, ref(uri), prompt, 12, 1.0, seed);
    }
}
