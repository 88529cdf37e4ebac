package dev.millrace.operators.train;

import dev.millrace.backends.port.LossResult;
import dev.millrace.backends.port.OptimResult;
import dev.millrace.udfs.model.Reject;
import java.util.List;

/**
 * What training on a minibatch measured.
 *
 * @param losses one for each pass; empty when nothing of it could be read
 * @param updates one for each pass
 * @param rejects items that could not be read
 */
record TrainedMinibatch(List<LossResult> losses, List<OptimResult> updates, List<Reject> rejects) {}
