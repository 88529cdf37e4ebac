package dev.millrace.operators.minibatch;

import dev.millrace.operators.topic.KeptRecord;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchBook;
import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.BatchState;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.List;

/** Minibatches of one run, under the epoch that was claimed for it. */
final class RunBatches {
    private final BatchSettings settings;
    private final KeptRecord<BatchState> kept;
    private final BatchState restored;
    private BatchBook book;
    private EpochClaim claim;
    private List<ProgressRecord> saidAgain;

    /** Reads what is kept. */
    RunBatches(BatchSettings settings, KeptRecord<BatchState> kept) throws Exception {
        this.settings = settings;
        this.kept = kept;
        this.restored = kept.or(BatchState.empty());
    }

    /** Claims an epoch; blocks. */
    void claim(EpochClaims claims) {
        List<PolicyRecord> announced =
                claims.claim(settings.runId(), restored.epoch(), restored.step());
        Lineage lineage = new Lineage();
        announced.forEach(lineage::add);
        PolicyRecord mine = announced.get(announced.size() - 1);
        claim =
                new EpochClaim(
                        mine.runId(), mine.epoch(), mine.parentEpoch(), mine.step(), mine.nonce());
        book = new BatchBook(settings, restored, lineage);
        saidAgain = book.claim(claim);
    }

    EpochClaim claim() {
        return claim;
    }

    /** What is said again under the claimed epoch. */
    List<ProgressRecord> saidAgain() {
        return saidAgain;
    }

    List<BatchOutput> hear(GroupRecord group) {
        return book.hear(group);
    }

    void keep() throws Exception {
        kept.keep(book.state());
    }
}
