package dev.millrace.backends.port;

import java.io.Serializable;

/** Opens the runner of a stage on the machine where the stage runs. */
@FunctionalInterface
public interface EffectRunnerFactory extends Serializable {

    /**
     * @param subtask index of the parallel instance of the stage
     * @param parallelism number of parallel instances, to take a share of global limits
     * @param fence number of this opening, higher than that of every earlier one of this subtask
     */
    EffectRunner open(int subtask, int parallelism, long fence);
}
