package dev.millrace.pipeline.adapters;

import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.pipeline.topology.Backends;

/**
 * A policy behind a server, with the sandboxes and files of other runs.
 *
 * @param local sandboxes and files
 * @param policy who samples and trains
 */
public record TinkerBackends(EmbeddedBackends local, TinkerPolicy policy) implements Backends {
    @Override
    public EffectRunnerFactory rollout() {
        return local.rollout(policy);
    }

    @Override
    public EffectRunnerFactory grading() {
        return local.grading();
    }

    @Override
    public BackendFactory<PolicyTrainer> trainer() {
        return policy::trainer;
    }

    @Override
    public BackendFactory<Sampler> reference() {
        return policy::sampler;
    }

    @Override
    public BackendFactory<TrajectoryStore> store() {
        return local.store();
    }
}
