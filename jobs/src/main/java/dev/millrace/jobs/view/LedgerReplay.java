package dev.millrace.jobs.view;

import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.pipeline.ledger.RowReader;
import dev.millrace.udfs.model.AttemptSummary;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;

/**
 * Plays a ledger to a view: the same fold over what was written as over the topics. Rows have no
 * times, so rates and the time left are not known.
 */
public final class LedgerReplay {
    private final LedgerReader ledger;

    /** Replays of a ledger. */
    public LedgerReplay(LedgerReader ledger) {
        this.ledger = ledger;
    }

    /**
     * Plays all of it.
     *
     * @throws IOException when a file can't be read
     */
    public void play(RunView view) throws IOException {
        for (GenericRecord row : ledger.rows(LedgerTable.STEPS)) {
            view.policy(RowReader.step(row), 0);
        }
        ledger.forEach(LedgerTable.TURNS, row -> turn(row, view));
        Map<String, List<AttemptSummary>> attempts = attempts();
        for (GenericRecord row : ledger.rows(LedgerTable.GROUPS)) {
            String group = row.get("group_id").toString();
            view.group(RowReader.group(row, attempts.getOrDefault(group, List.of())), 0);
        }
        for (GenericRecord row : ledger.rows(LedgerTable.PROGRESS)) {
            view.progress(RowReader.progress(row), 0);
        }
        for (GenericRecord row : ledger.rows(LedgerTable.ACCOUNTS)) {
            view.progress(RowReader.accounts(row), 0);
        }
        ledger.forEach(LedgerTable.REJECTS, row -> view.reject(RowReader.reject(row), 0));
    }

    private static void turn(GenericRecord row, RunView view) {
        String kind = row.get("kind").toString();
        boolean training = row.get("lane") != null && row.get("lane").toString().equals("TRAIN");
        view.journal(
                row.get("run_id").toString(), training ? row.get("group_id").toString() : "", kind);
    }

    private Map<String, List<AttemptSummary>> attempts() throws IOException {
        Map<String, List<AttemptSummary>> byGroup = new HashMap<>();
        ledger.forEach(
                LedgerTable.ATTEMPTS,
                row ->
                        byGroup.computeIfAbsent(
                                        row.get("group_id").toString(), id -> new ArrayList<>())
                                .add(RowReader.attempt(row)));
        byGroup.values()
                .forEach(group -> group.sort(Comparator.comparingInt(a -> a.attemptIndex())));
        return byGroup;
    }
}
