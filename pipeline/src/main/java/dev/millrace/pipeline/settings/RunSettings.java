package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** What the run is called, and what all its random choices come from. */
public record RunSettings(
        @Setting(
                        about = "name of the run; its run id is this and a random suffix",
                        pattern = "[a-z0-9][a-z0-9-]{0,39}",
                        patternAbout =
                                "1 to 40 lower-case letters, digits and hyphens, not starting with"
                                        + " a hyphen")
                String name,
        @Setting(
                        about =
                                "seed of all random choices: tasks, order, sampling, initial"
                                        + " weights",
                        byDefault = "1",
                        min = "0")
                long seed)
        implements Serializable {}
