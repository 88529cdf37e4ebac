package dev.millrace.pipeline.topology;

import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrajectoryStore;
import java.io.Serializable;

/** Opens the adapters that a run uses, on the machine where a stage runs. */
public interface Backends extends Serializable {

    /** What carries out the effects of Rollout. */
    EffectRunnerFactory rollout();

    /** What carries out the effects of Grading. */
    EffectRunnerFactory grading();

    /** What trains. */
    BackendFactory<PolicyTrainer> trainer();

    /** What answers for the reference policy. */
    BackendFactory<Sampler> reference();

    /** Where trajectories lie. */
    BackendFactory<TrajectoryStore> store();
}
