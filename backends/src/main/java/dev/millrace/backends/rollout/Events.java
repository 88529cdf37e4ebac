package dev.millrace.backends.rollout;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.step.Effect;
import java.util.Locale;

/** Events that report an effect. */
public final class Events {
    private Events() {}

    /** An event of the effect's item, without its part. */
    public static StepEvent of(String stage, Effect effect, StepEvent.Kind kind, long startNanos) {
        return StepEvent.of(
                stage,
                effect.admission().route(),
                effect.itemId(),
                effect.admission().admissionId(),
                effect.effectId(),
                kind,
                (System.nanoTime() - startNanos) / 1_000_000);
    }

    /** The effect failed for good. */
    public static StepEvent failed(String stage, Effect effect, long startNanos, Failure failure) {
        return of(stage, effect, StepEvent.Kind.FAILED, startNanos).with(failure);
    }

    /** What a sandbox's failure counts as. */
    public static Failure failure(SandboxException e) {
        FailureClass whose = e.policyCaused() ? FailureClass.POLICY : FailureClass.INFRA;
        return new Failure(
                whose, "sandbox_" + e.kind().name().toLowerCase(Locale.ROOT), e.getMessage());
    }
}
