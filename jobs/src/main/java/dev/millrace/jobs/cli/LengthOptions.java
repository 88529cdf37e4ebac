package dev.millrace.jobs.cli;

import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/**
 * How long a run is, and how many there are: short names of the settings that change from run to
 * run.
 */
public final class LengthOptions {
    private static final double MINUTES_PER_HOUR = 60;

    @Option(
            names = "--clients",
            paramLabel = "N",
            description = "Runs of this recipe in one job: run.clients.")
    private Integer clients;

    @Option(
            names = "--steps",
            paramLabel = "N",
            description = "Optimizer steps in all: train.steps.")
    private Long steps;

    @Option(
            names = "--groups-per-batch",
            paramLabel = "N",
            description = "Groups that make a step: train.groupsPerBatch.")
    private Integer groupsPerBatch;

    @Option(
            names = "--hours",
            paramLabel = "H",
            description = "Stopped with a savepoint after so long: limits.maxMinutes / 60.")
    private Double hours;

    /** The settings they stand for, as {@code --set} takes them. */
    List<String> overrides() {
        List<String> overrides = new ArrayList<>();
        if (clients != null) {
            overrides.add("run.clients=" + clients);
        }
        if (steps != null) {
            overrides.add("train.steps=" + steps);
        }
        if (groupsPerBatch != null) {
            overrides.add("train.groupsPerBatch=" + groupsPerBatch);
        }
        if (hours != null) {
            overrides.add("limits.maxMinutes=" + (long) Math.ceil(hours * MINUTES_PER_HOUR));
        }
        return overrides;
    }
}
