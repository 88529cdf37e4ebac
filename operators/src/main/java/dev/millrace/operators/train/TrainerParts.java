package dev.millrace.operators.train;

import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.model.Reject;
import java.io.Serializable;
import java.util.List;
import org.apache.flink.util.OutputTag;

/**
 * What the trainer stage is made of.
 *
 * @param runs how to train each run of the job
 * @param trainer opens what trains
 * @param store opens where trajectories lie
 * @param rejects where items go that can't be read
 * @param watch when standing still is reported
 */
public record TrainerParts(
        List<TrainerSettings> runs,
        BackendFactory<PolicyTrainer> trainer,
        BackendFactory<TrajectoryStore> store,
        OutputTag<Reject> rejects,
        WatchSettings watch)
        implements Serializable {

    /** Copies the list. */
    public TrainerParts {
        runs = List.copyOf(runs);
    }

    /** A stage of one run that is not watched. */
    public TrainerParts(
            TrainerSettings settings,
            BackendFactory<PolicyTrainer> trainer,
            BackendFactory<TrajectoryStore> store,
            OutputTag<Reject> rejects) {
        this(List.of(settings), trainer, store, rejects, WatchSettings.OFF);
    }
}
