package dev.millrace.pipeline.settings;

import dev.millrace.udfs.model.Split;
import java.io.Serializable;

/** Where tasks come from, and which of them measure. */
public record TaskSettings(
        @Setting(
                        about =
                                "`generated` draws small repositories from the built-in families;"
                                        + " `folder` reads Harbor tasks from `tasks.path`")
                Source source,
        @Setting(
                        about =
                                "folder of Harbor tasks, relative to the working directory; only"
                                        + " for `folder`",
                        byDefault = "")
                String path,
        @Setting(
                        about = "training tasks to generate",
                        byDefault = "400",
                        min = "1",
                        max = "1000000")
                int train,
        @Setting(
                        about =
                                "validation tasks to generate: held out, settings may be tuned on"
                                        + " them",
                        byDefault = "40",
                        min = "0",
                        max = "100000")
                int validation,
        @Setting(
                        about = "test tasks to generate: held out, they only report",
                        byDefault = "60",
                        min = "0",
                        max = "100000")
                int test,
        @Setting(
                        about = "which held-out tasks evaluation plays: `validation` or `test`",
                        byDefault = "test")
                Split evalSplit)
        implements Serializable {

    /** Where tasks come from. */
    public enum Source {
        /** Drawn from the built-in families, by the run's seed. */
        GENERATED,
        /** Read from a folder of Harbor tasks. */
        FOLDER
    }

    /** Held-out tasks that an evaluation round plays when tasks are generated. */
    public int evalTasks() {
        return switch (evalSplit) {
            case TRAIN -> train;
            case VALIDATION -> validation;
            case TEST -> test;
        };
    }
}
