package dev.millrace.pipeline.settings;

import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.LossSpec;
import java.io.Serializable;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** How the policy learns. */
public record TrainSettings(
        @Setting(about = "training steps of the whole run", min = "1", max = "10000000") int steps,
        @Setting(about = "groups of one step", byDefault = "12", min = "1", max = "100000")
                int groupsPerBatch,
        @Setting(
                        about =
                                "groups of one forward and backward pass; divides"
                                        + " `train.groupsPerBatch`",
                        byDefault = "6",
                        min = "1",
                        max = "100000")
                int groupsPerMinibatch,
        @Setting(
                        about = "times that each step goes over its groups",
                        byDefault = "2",
                        min = "1",
                        max = "100")
                int passes,
        @Setting(
                        about =
                                "steps that a group's policy may be older than the policy it"
                                        + " trains; older groups are dropped as stale",
                        byDefault = "1",
                        min = "0",
                        max = "1000")
                int maxLag,
        @Setting(about = "Adam's step size", byDefault = "3e-4", min = "0", max = "1000")
                double learningRate,
        @Setting(
                        about = "Adam's decay of the first moment",
                        byDefault = "0.9",
                        min = "0",
                        max = "0.9999")
                double beta1,
        @Setting(
                        about = "Adam's decay of the second moment",
                        byDefault = "0.95",
                        min = "0",
                        max = "0.99999")
                double beta2,
        @Setting(
                        about =
                                "added to the root of the second moment; far above the gradients'"
                                        + " size, updates are in proportion to them",
                        byDefault = "1e-8",
                        min = "1e-12",
                        max = "1000")
                double epsilon,
        @Setting(
                        about = "lower bound of the probability ratio in the loss",
                        byDefault = "0.8",
                        min = "0",
                        max = "1")
                double clipLow,
        @Setting(
                        about = "upper bound of the probability ratio in the loss",
                        byDefault = "1.28",
                        min = "1",
                        max = "100")
                double clipHigh,
        @Setting(
                        about = "the gradient is scaled down to this norm; 0 leaves it",
                        byDefault = "1.0",
                        min = "0",
                        max = "1000000")
                double maxGradientNorm,
        @Setting(
                        about = "weight of the penalty for leaving the reference policy; 0 is none",
                        byDefault = "0.0",
                        min = "0",
                        max = "10")
                double klCoef,
        @Setting(
                        about =
                                "groups whose rewards are all equal: `drop`, `keep`, or `auto` to"
                                    + " keep them when `train.klCoef` is not 0, since the penalty"
                                    + " counts for them too",
                        byDefault = "auto")
                ConstantGroups constantGroups,
        @Setting(
                        about =
                                "steps between two saved trainer states; a restart trains at most"
                                        + " these again",
                        byDefault = "5",
                        min = "1",
                        max = "1000000")
                int saveEverySteps,
        @Setting(
                        about =
                                "longest that the trainer may work on one call, once the calls"
                                    + " before it are answered; its session then counts as lost",
                        byDefault = "10m",
                        min = "100ms",
                        max = "7d")
                Duration stepTimeout,
        @Setting(
                        about =
                                "where the trainer runs: `none` for anywhere, `gpu(MODEL)` for a"
                                        + " task manager that offers that GPU",
                        byDefault = "none",
                        pattern = "none|gpu\\([A-Za-z0-9_-]+\\)",
                        patternAbout = "`none` or `gpu(MODEL)`, for instance `gpu(B300)`")
                String placement)
        implements Serializable {

    /** What becomes of groups whose rewards are all equal. */
    public enum ConstantGroups {
        /** What the loss can use is kept. */
        AUTO,
        /** They are dropped. */
        DROP,
        /** They are trained on. */
        KEEP
    }

    /** Whether groups whose rewards are all equal are trained on. */
    public boolean keepsConstantGroups() {
        return constantGroups == ConstantGroups.KEEP
                || (constantGroups == ConstantGroups.AUTO && klCoef != 0);
    }

    /** Optimiser settings of every update. */
    public AdamSpec adam() {
        return new AdamSpec(learningRate, beta1, beta2, epsilon, 0.0, maxGradientNorm);
    }

    /** The clipped objective. */
    public LossSpec loss() {
        return new LossSpec(clipLow, clipHigh);
    }

    /** The external resource that the trainer's slot asks for, for instance {@code gpu-b300}. */
    public Optional<String> gpuResource() {
        return placement.startsWith("gpu(")
                ? Optional.of(
                        "gpu-"
                                + placement
                                        .substring(4, placement.length() - 1)
                                        .toLowerCase(Locale.ROOT))
                : Optional.empty();
    }

    /** Forward and backward passes of a step, over all passes. */
    public int minibatchesPerStep() {
        return groupsPerBatch / groupsPerMinibatch * passes;
    }
}
