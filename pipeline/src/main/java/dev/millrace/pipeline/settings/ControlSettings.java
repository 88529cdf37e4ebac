package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Deliberate sabotage: a run with a control shows what an effect is caused by. */
public record ControlSettings(
        @Setting(
                        about =
                                "shuffle the rewards inside each training group: a policy that"
                                        + " still improves learns from something else",
                        byDefault = "false")
                boolean shuffleRewards,
        @Setting(
                        about =
                                "show each attempt the observations of another task: a policy that"
                                        + " still solves tasks doesn't read them",
                        byDefault = "false")
                boolean foreignObservations)
        implements Serializable {}
