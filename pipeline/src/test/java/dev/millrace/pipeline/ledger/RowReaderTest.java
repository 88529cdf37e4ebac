package dev.millrace.pipeline.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.Reject;
import java.util.List;
import org.junit.jupiter.api.Test;

class RowReaderTest {
    private static final LedgerLine LINE = new LedgerLine("GROUPS", "id", 0, 5, 7, new byte[0]);

    @Test
    void aGroupComesBackAsItWasButForThePolicysAddress() {
        GroupRecord group = LedgerRecords.group(3, "first");
        List<AttemptSummary> attempts =
                Rows.attempts(group, LINE).stream().map(RowReader::attempt).toList();
        assertThat(attempts).isEqualTo(group.attempts());
        assertThat(RowReader.group(Rows.group(group, LINE), attempts))
                .usingRecursiveComparison()
                .ignoringFields("policy.uri")
                .isEqualTo(group);
    }

    @Test
    void theOtherRecordsComeBackAsTheyWere() {
        PolicyRecord policy = LedgerRecords.publication(4);
        Reject reject = new Reject("run-1", "gate", "odd", "k", "d");
        assertThat(RowReader.step(Rows.step(policy, LINE))).isEqualTo(policy);
        assertThat(RowReader.progress(Rows.progress(LedgerRecords.taken(2, 1), LINE)))
                .isEqualTo(LedgerRecords.taken(2, 1));
        assertThat(RowReader.reject(Rows.reject(reject, LINE))).isEqualTo(reject);
    }
}
