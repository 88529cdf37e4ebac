package dev.millrace.operators.admission;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.RowDemand;
import java.io.Serializable;
import org.apache.flink.util.OutputTag;

/**
 * What the gate gives beside admissions.
 *
 * @param groups the mark behind the last group, and groups that are not played
 * @param progress the balance of each closed step
 * @param rowDemand how far the topic of rows may be read
 * @param rejects records that can't be read, groups that are not played, and balances that do not
 *     hold
 */
public record GateOutputs(
        OutputTag<GroupRecord> groups,
        OutputTag<ProgressRecord> progress,
        OutputTag<RowDemand> rowDemand,
        OutputTag<Reject> rejects)
        implements Serializable {}
