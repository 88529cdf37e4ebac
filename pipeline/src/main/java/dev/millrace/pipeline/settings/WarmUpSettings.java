package dev.millrace.pipeline.settings;

import java.io.Serializable;

/**
 * Supervised learning of the initial policy from demonstrations of training tasks. It is declared
 * in every summary, apart from what reinforcement learning reached.
 */
public record WarmUpSettings(
        @Setting(
                        about =
                                "mean reward on training tasks, measured by the verifier, at which"
                                        + " the warm-up ends",
                        byDefault = "0.45",
                        min = "0",
                        max = "1")
                double target,
        @Setting(
                        about = "most warm-up steps; 0 for none",
                        byDefault = "160",
                        min = "0",
                        max = "1000000")
                int maxSteps,
        @Setting(
                        about =
                                "warm-up steps before the first measurement; over them the learning"
                                        + " rate falls to a tenth",
                        byDefault = "100",
                        min = "0",
                        max = "1000000")
                int minSteps,
        @Setting(
                        about = "warm-up steps between two measurements",
                        byDefault = "5",
                        min = "1",
                        max = "100000")
                int checkEverySteps,
        @Setting(
                        about = "training tasks that a measurement plays once",
                        byDefault = "64",
                        min = "1",
                        max = "100000")
                int checkTasks,
        @Setting(
                        about = "demonstrations that are recorded; training tasks take turns",
                        byDefault = "400",
                        min = "1",
                        max = "1000000")
                int demonstrations,
        @Setting(
                        about =
                                "share of demonstrators that are hasty: half of them repair without"
                                        + " having read, half read and leave",
                        byDefault = "0.0",
                        min = "0",
                        max = "1")
                double hastyShare,
        @Setting(
                        about = "demonstrations of one warm-up step",
                        byDefault = "32",
                        min = "1",
                        max = "100000")
                int batch,
        @Setting(
                        about = "Adam's step size in the warm-up",
                        byDefault = "1e-3",
                        min = "0",
                        max = "1")
                double learningRate)
        implements Serializable {}
