package dev.millrace.operators.train;

import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.udfs.model.Reject;
import java.io.Serializable;
import org.apache.flink.util.OutputTag;

/**
 * What the trainer stage is made of.
 *
 * @param settings how to train
 * @param trainer opens what trains
 * @param store opens where trajectories lie
 * @param rejects where items go that can't be read
 */
public record TrainerParts(
        TrainerSettings settings,
        BackendFactory<PolicyTrainer> trainer,
        BackendFactory<TrajectoryStore> store,
        OutputTag<Reject> rejects)
        implements Serializable {}
