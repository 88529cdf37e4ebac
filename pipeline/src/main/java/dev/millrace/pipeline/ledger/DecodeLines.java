package dev.millrace.pipeline.ledger;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.operators.topic.WireException;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.metrics.Counter;
import org.apache.flink.streaming.api.functions.ProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Finds out which table a record of a topic belongs to and under which id. What can't be decoded is
 * counted and becomes a row of the rejects. Keeps no state.
 */
final class DecodeLines extends ProcessFunction<TopicRecord, LedgerLine> {
    static final OutputTag<ProgressRecord> DRAINED =
            new OutputTag<>("drained", TypeInformation.of(ProgressRecord.class));

    private static final long serialVersionUID = 1L;
    private static final String STAGE = "ledger";

    private final String prefix;
    private transient TopicNames names;
    private transient Counter undecodable;

    DecodeLines(TopicNames names) {
        this.prefix = names.prefix();
    }

    @Override
    public void open(OpenContext context) {
        names = new TopicNames(prefix);
        undecodable = getRuntimeContext().getMetricGroup().addGroup(STAGE).counter("undecodable");
    }

    @Override
    public void processElement(TopicRecord record, Context context, Collector<LedgerLine> out) {
        if (record.kind() != TopicRecord.Kind.DATA) {
            return;
        }
        try {
            decode(record, context, out);
        } catch (WireException e) {
            undecodable.inc();
            Reject reject = new Reject("", STAGE, "undecodable", record.where(), e.getMessage());
            out.collect(
                    new LedgerLine(
                            LedgerTable.REJECTS.name(),
                            record.where(),
                            record.partition(),
                            record.offset(),
                            record.writtenMillis(),
                            Wire.encode(reject)));
        }
    }

    private void decode(TopicRecord record, Context context, Collector<LedgerLine> out) {
        String topic = record.topic();
        if (topic.equals(names.groups())) {
            GroupRecord group = Wire.decode(record.value(), GroupRecord.class);
            if (group.drained()) {
                context.output(DRAINED, drained(group.runId()));
            } else {
                out.collect(line(LedgerTable.GROUPS, group.groupId(), record));
            }
        } else if (topic.equals(names.policies())) {
            out.collect(line(LedgerTable.STEPS, stepId(record), record));
        } else if (topic.equals(names.progress())) {
            out.collect(progress(record));
        } else if (topic.equals(names.turns())) {
            out.collect(line(LedgerTable.TURNS, turnId(record), record));
        } else if (topic.equals(names.rejects())) {
            Reject reject = Wire.decode(record.value(), Reject.class);
            String id = reject.stage() + ' ' + reject.reason() + ' ' + reject.key();
            out.collect(line(LedgerTable.REJECTS, id, record));
        }
    }

    private static String stepId(TopicRecord record) {
        PolicyRecord policy = Wire.decode(record.value(), PolicyRecord.class);
        String nonce = policy.kind() == PolicyRecord.Kind.ANNOUNCE ? policy.nonce() : "";
        return String.join(
                " ",
                policy.runId(),
                policy.kind().name(),
                Long.toString(policy.epoch()),
                Long.toString(policy.step()),
                nonce);
    }

    private static LedgerLine progress(TopicRecord record) {
        ProgressRecord progress = Wire.decode(record.value(), ProgressRecord.class);
        boolean balance = progress.kind() == ProgressRecord.Kind.ACCOUNTS;
        String about = balance ? Long.toString(progress.step()) : progress.groupId();
        String id =
                String.join(
                        " ",
                        progress.runId(),
                        progress.kind().name(),
                        progress.source(),
                        Long.toString(progress.epoch()),
                        about);
        return line(balance ? LedgerTable.ACCOUNTS : LedgerTable.PROGRESS, id, record);
    }

    private static String turnId(TopicRecord record) {
        StepEvent event = Wire.decode(record.value(), StepEvent.class);
        return String.join(
                " ", event.stage(), event.itemId(), event.admissionId(), event.effectId());
    }

    private static ProgressRecord drained(String runId) {
        return new ProgressRecord(runId, ProgressRecord.Kind.DRAINED, STAGE, 0, "", -1, -1, "");
    }

    private static LedgerLine line(LedgerTable table, String id, TopicRecord record) {
        return new LedgerLine(
                table.name(),
                id,
                record.partition(),
                record.offset(),
                record.writtenMillis(),
                record.value());
    }
}
