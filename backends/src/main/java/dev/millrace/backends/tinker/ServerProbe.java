package dev.millrace.backends.tinker;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures how a server behaves, with an adapter that is thrown away. Blocks. */
final class ServerProbe {
    private static final Logger LOG = LoggerFactory.getLogger(ServerProbe.class);
    private static final int LENGTH = 24;
    private static final int TOKENS_OF_ANY_MODEL = 256;
    private static final int UPDATES = 3;
    private static final LossSpec LOSS = new LossSpec(0.8, 1.28);
    private static final AdamSpec MOVING = new AdamSpec(1e-2, 0.9, 0.95, 1e-8, 0, 0);

    /** Servers of half precision don't give the same number twice. */
    private static final double NOISE = 0.02;

    private final TinkerSettings settings;
    private final TinkerModel model;
    private final TinkerSampler sampler;
    private final int[] text;
    private List<LossDatum> lesson;
    private List<LossDatum> silence;

    ServerProbe(TinkerSettings settings, TinkerModel model, TinkerSampler sampler) {
        this.settings = settings;
        this.model = model;
        this.sampler = sampler;
        int ids = settings.vocabulary() == 0 ? TOKENS_OF_ANY_MODEL : settings.vocabulary();
        text = new int[Math.min(LENGTH, settings.contextTokens() - 1)];
        for (int i = 0; i < text.length; i++) {
            text[i] = (7 * i * i + 3 * i + 1) % ids;
        }
    }

    ServerTraits traits() {
        String first = model.publish("probe-0").join();
        float[] before = read(first);
        lesson = data(1, before);
        silence = data(0, before);
        Reduction reduction = reduction();
        boolean repeats = repeatsSafely();
        ServerTraits traits = new ServerTraits(repeats, immutable(first, before), reduction);
        LOG.info("How the server behaves url={} traits={}", settings.baseUrl(), traits);
        return traits;
    }

    private List<LossDatum> data(float advantage, float[] logprobs) {
        float[] advantages = new float[text.length];
        for (int i = text.length / 2; i < text.length; i++) {
            advantages[i] = advantage;
        }
        return new LossData(settings.with(ServerTraits.asSpecified()))
                .of(List.of(new Datum(text, advantages, logprobs)));
    }

    /** Twice the same sequence has twice the gradient in a sum, and the same in a mean. */
    private Reduction reduction() {
        double once = norm(lesson);
        double twice = norm(List.of(lesson.get(0), lesson.get(0)));
        if (!(once > 0) || !(twice > 0)) {
            LOG.warn("The server reports no gradient norm; its losses are taken for sums");
            return Reduction.SUM;
        }
        return twice > 1.5 * once ? Reduction.SUM : Reduction.MEAN;
    }

    private double norm(List<LossDatum> data) {
        var unused = model.forwardBackward(data, LOSS);
        return TinkerTrainerSession.measured(model.optimStep(TinkerModel.STILL).join())
                .gradientNorm();
    }

    private boolean repeatsSafely() {
        return model.sentTwice(lesson, LOSS).join();
    }

    /**
     * Whether a publication says the same after training has gone on and another was asked, and
     * whether being asked leaves the trained weights alone.
     */
    private boolean immutable(String first, float[] before) {
        for (int i = 0; i < UPDATES; i++) {
            var unused = model.forwardBackward(lesson, LOSS);
            model.optimStep(MOVING).join();
        }
        float[] trained = model.forwardBackward(silence, LOSS).join().get(0);
        String second = model.publish("probe-1").join();
        double kept = distance(read(first), before, 1);
        double moved = distance(read(second), before, 1);
        kept = Math.max(kept, distance(read(first), before, 1));
        float[] after = model.forwardBackward(silence, LOSS).join().get(0);
        double disturbed = distance(after, trained, 0);
        LOG.info(
                "Publications after training moved={} kept={} disturbed={}",
                moved,
                kept,
                disturbed);
        double most = Math.min(NOISE, moved / 4);
        return moved > 0 && kept <= most && disturbed <= most;
    }

    private float[] read(String publication) {
        return sampler.computeLogprobs(new PolicyRef(new PolicyVersion(0, 0), publication), text)
                .join();
    }

    private static double distance(float[] one, float[] other, int from) {
        double most = 0;
        for (int i = from; i < one.length; i++) {
            most = Math.max(most, Math.abs(one[i] - other[i]));
        }
        return most;
    }
}
