package dev.millrace.pipeline.settings;

import dev.millrace.backends.harbor.HostVariables;
import dev.millrace.udfs.model.Split;
import java.io.Serializable;
import java.util.List;
import java.util.Map;

/** Where tasks come from, and which of them measure. */
public record TaskSettings(
        @Setting(
                        about =
                                "`generated` draws small repositories from the built-in families;"
                                        + " `folder` reads Harbor tasks from `tasks.path`;"
                                        + " `dataset` reads subsets of the prepared dataset at"
                                        + " `tasks.path`")
                Source source,
        @Setting(
                        about =
                                "folder of Harbor tasks, or of a prepared dataset, relative to the"
                                        + " working directory; not for `generated`",
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
                Split evalSplit,
        @Setting(
                        about =
                                "variables of the process that tasks may name as `${NAME}`,"
                                        + " separated by commas; an agent can read them",
                        byDefault = "",
                        pattern = "([A-Za-z_][A-Za-z0-9_]*(,[A-Za-z_][A-Za-z0-9_]*)*)?",
                        patternAbout = "names of variables, separated by commas")
                String variables,
        @Setting(
                        about =
                                "what is trained on: for `dataset` the name of a subset, without a"
                                        + " value `train-full`; otherwise a file of rows whose ids"
                                        + " choose from the training tasks, without a value all",
                        byDefault = "")
                String subset,
        @Setting(
                        about =
                                "subset that evaluation plays; only for `dataset`, without a value"
                                        + " `eval`",
                        byDefault = "")
                String evalSubset,
        @Setting(
                        about =
                                "whether a row that is no task ends the start; otherwise it is"
                                        + " listed in `rejected-tasks.jsonl` and in the ledger's"
                                        + " table `rejects`",
                        byDefault = "false")
                boolean strict,
        @Setting(
                        about =
                                "whether tasks whose groups are likelier to have mixed rewards, by"
                                        + " what the run has seen of them, are played more often"
                                        + " from the second pass on",
                        byDefault = "false")
                boolean curriculum,
        @Setting(
                        about =
                                "Kafka topic that training tasks are read from, without an end, in"
                                        + " the order in which they arrive and each once: one row"
                                        + " a record, as in a prepared dataset. `tasks.source` then"
                                        + " gives the tasks that measure",
                        byDefault = "",
                        pattern = "[A-Za-z0-9._-]{0,249}",
                        patternAbout = "name of a Kafka topic")
                String topic,
        @Setting(
                        about =
                                "absolute folder, the same on every machine, that `task_path` of"
                                        + " the rows of `tasks.topic` lies below",
                        byDefault = "")
                String root)
        implements Serializable {

    /** Where tasks come from. */
    public enum Source {
        /** Drawn from the built-in families, by the run's seed. */
        GENERATED,
        /** Read from a folder of Harbor tasks. */
        FOLDER,
        /** Read from the subsets of a prepared dataset. */
        DATASET
    }

    /** Whether training tasks come from a topic. */
    public boolean fromTopic() {
        return !topic.isEmpty();
    }

    /** Name of the subset that is trained on, of a dataset. */
    public String trainSubset() {
        return subset.isEmpty() ? "train-full" : subset;
    }

    /** Name of the subset that evaluation plays, of a dataset. */
    public String heldOutSubset() {
        return evalSubset.isEmpty() ? "eval" : evalSubset;
    }

    /** The variables that tasks may name, as far as this process has them. */
    public Map<String, String> hostVariables() {
        return HostVariables.named(List.of(variables.split(",")), System.getenv());
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
