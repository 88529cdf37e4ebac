package dev.millrace.pipeline.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.topic.Wire;
import java.nio.file.Path;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.streaming.api.operators.KeyedProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.KeyedOneInputStreamOperatorTestHarness;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;
import org.junit.jupiter.api.Test;

class FirstRowsGoldenTest {
    @Test
    void whatWasWrittenIsRememberedForEver() throws Exception {
        Path golden =
                Path.of(FirstRowsGoldenTest.class.getResource("/golden/state/ledger-rows").toURI());
        try (var harness =
                new KeyedOneInputStreamOperatorTestHarness<>(
                        new KeyedProcessOperator<>(new FirstRows()),
                        LedgerLine::key,
                        Types.STRING)) {
            harness.initializeState(OperatorSnapshotUtil.readStateHandle(golden.toString()));
            harness.open();
            for (int group = 0; group < 2; group++) {
                byte[] value = Wire.encode(LedgerRecords.group(group, "again"));
                harness.processElement(
                        new StreamRecord<>(
                                new LedgerLine("GROUPS", "run-1/g" + group, 0, 0, -1, value)));
            }
            byte[] turn = Wire.encode(LedgerRecords.sampled(0, 0, 0));
            harness.processElement(
                    new StreamRecord<>(new LedgerLine("TURNS", "turn-1", 0, 0, -1, turn)));
            assertThat(harness.getSideOutput(FirstRows.tag(LedgerTable.GROUPS)))
                    .extracting(row -> row.getValue().get("group_id").toString())
                    .containsExactly(LedgerRecords.RUN + "/g1");
            assertThat(harness.getSideOutput(FirstRows.tag(LedgerTable.TURNS))).isNull();
        }
    }
}
