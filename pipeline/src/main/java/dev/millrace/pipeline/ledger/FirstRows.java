package dev.millrace.pipeline.ledger;

import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.api.common.state.StateTtlConfig;
import org.apache.flink.api.common.state.ValueState;
import org.apache.flink.api.common.state.ValueStateDescriptor;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.formats.avro.typeutils.GenericRecordAvroTypeInfo;
import org.apache.flink.streaming.api.functions.KeyedProcessFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.OutputTag;

/**
 * Makes rows of the first line of each id, a side output per table.
 *
 * <p>State: one flag per id. Those of the journal, which has many, expire after a week: repeats
 * come within minutes of a restart. The others are kept as long as the run.
 */
final class FirstRows extends KeyedProcessFunction<String, LedgerLine, Void> {
    private static final long serialVersionUID = 1L;
    private static final Duration JOURNAL_MEMORY = Duration.ofDays(7);
    private static final Map<LedgerTable, OutputTag<GenericRecord>> TAGS = tags();

    private transient ValueState<Boolean> written;
    private transient ValueState<Boolean> journalWritten;

    static OutputTag<GenericRecord> tag(LedgerTable table) {
        return TAGS.get(table);
    }

    @Override
    public void open(OpenContext context) {
        written =
                getRuntimeContext().getState(new ValueStateDescriptor<>("written", Types.BOOLEAN));
        ValueStateDescriptor<Boolean> journal =
                new ValueStateDescriptor<>("journal-written", Types.BOOLEAN);
        journal.enableTimeToLive(StateTtlConfig.newBuilder(JOURNAL_MEMORY).build());
        journalWritten = getRuntimeContext().getState(journal);
    }

    @Override
    public void processElement(LedgerLine line, Context context, Collector<Void> out)
            throws Exception {
        LedgerTable table = LedgerTable.valueOf(line.table());
        ValueState<Boolean> state = table == LedgerTable.TURNS ? journalWritten : written;
        if (state.value() != null) {
            return;
        }
        state.update(true);
        if (table == LedgerTable.GROUPS) {
            GroupRecord group = Wire.decode(line.value(), GroupRecord.class);
            context.output(tag(table), Rows.group(group, line));
            for (GenericRecord attempt : Rows.attempts(group, line)) {
                context.output(tag(LedgerTable.ATTEMPTS), attempt);
            }
        } else {
            context.output(tag(table), row(table, line));
        }
    }

    private static GenericRecord row(LedgerTable table, LedgerLine line) {
        byte[] value = line.value();
        return switch (table) {
            case TURNS -> TurnRows.turn(Wire.decode(value, StepEvent.class), line);
            case STEPS -> Rows.step(Wire.decode(value, PolicyRecord.class), line);
            case PROGRESS -> Rows.progress(Wire.decode(value, ProgressRecord.class), line);
            case ACCOUNTS -> Rows.accounts(Wire.decode(value, ProgressRecord.class), line);
            case REJECTS -> Rows.reject(Wire.decode(value, Reject.class), line);
            case GROUPS, ATTEMPTS ->
                    throw new IllegalArgumentException("No line is one row of " + table);
        };
    }

    private static Map<LedgerTable, OutputTag<GenericRecord>> tags() {
        Map<LedgerTable, OutputTag<GenericRecord>> tags = new EnumMap<>(LedgerTable.class);
        for (LedgerTable table : LedgerTable.values()) {
            tags.put(
                    table,
                    new OutputTag<>(table.folder(), new GenericRecordAvroTypeInfo(table.schema())));
        }
        return tags;
    }
}
