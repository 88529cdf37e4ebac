package dev.millrace.jobs.export;

import dev.millrace.pipeline.ledger.LedgerReader;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.pipeline.ledger.RowReader;
import dev.millrace.udfs.model.GroupRecord;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.avro.generic.GenericRecord;

/**
 * The attempts of a run with their groups and their lines of the journal. However long a run was,
 * only some are in memory: the other tables are read once for each lot of attempts.
 */
final class LedgerAttempts {
    private static final int MOST_EVENTS = 50_000;

    /** Admission, boot, capture and verdict. */
    private static final int EVENTS_BESIDE_TURNS = 5;

    private static final int EVENTS_OF_A_TURN = 2;

    private final LedgerReader ledger;
    private final String runId;
    private final int mostEvents;

    LedgerAttempts(LedgerReader ledger, String runId) {
        this(ledger, runId, MOST_EVENTS);
    }

    /**
     * @param mostEvents after how many lines of the journal a lot is full
     */
    LedgerAttempts(LedgerReader ledger, String runId, int mostEvents) {
        this.ledger = ledger;
        this.runId = runId;
        this.mostEvents = mostEvents;
    }

    /** Who takes attempts. */
    interface Taker {
        void take(PlayedAttempt attempt) throws IOException;
    }

    /** How many there are. */
    long count() throws IOException {
        long[] attempts = {0};
        ledger.forEach(
                LedgerTable.ATTEMPTS,
                row -> {
                    if (isOfRun(row)) {
                        attempts[0]++;
                    }
                });
        return attempts[0];
    }

    /**
     * Hands on every attempt, in no certain order. One whose group is not in the ledger yet is left
     * out.
     */
    void forEach(Taker taker) throws IOException {
        List<GenericRecord> lot = new ArrayList<>();
        int[] events = {0};
        try {
            ledger.forEach(
                    LedgerTable.ATTEMPTS,
                    row -> {
                        if (isOfRun(row)) {
                            lot.add(row);
                            events[0] += EVENTS_BESIDE_TURNS;
                            events[0] += EVENTS_OF_A_TURN * (int) row.get("turns");
                        }
                        if (events[0] >= mostEvents) {
                            handOn(lot, taker);
                            lot.clear();
                            events[0] = 0;
                        }
                    });
            handOn(lot, taker);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void handOn(List<GenericRecord> lot, Taker taker) {
        try {
            Map<String, GroupRecord> groups = groups(lot);
            Map<String, List<JournalEntry>> journal = journal(lot);
            for (GenericRecord row : lot) {
                GroupRecord group = groups.get(row.get("group_id").toString());
                if (group != null) {
                    taker.take(
                            new PlayedAttempt(
                                    RowReader.attempt(row), group, journal.get(admission(row))));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Map<String, GroupRecord> groups(List<GenericRecord> lot) throws IOException {
        Map<String, GroupRecord> groups = new HashMap<>();
        lot.forEach(row -> groups.put(row.get("group_id").toString(), null));
        ledger.forEach(
                LedgerTable.GROUPS,
                row -> {
                    String id = row.get("group_id").toString();
                    if (groups.containsKey(id)) {
                        groups.put(id, RowReader.group(row, List.of()));
                    }
                });
        return groups;
    }

    private Map<String, List<JournalEntry>> journal(List<GenericRecord> lot) throws IOException {
        Map<String, List<JournalEntry>> journal = new HashMap<>();
        lot.forEach(row -> journal.put(admission(row), new ArrayList<>()));
        ledger.forEach(
                LedgerTable.TURNS,
                row ->
                        journal.computeIfPresent(
                                admission(row),
                                (id, entries) -> {
                                    entries.add(JournalEntry.of(row));
                                    return entries;
                                }));
        journal.values()
                .forEach(
                        entries ->
                                entries.sort(
                                        Comparator.comparingInt(JournalEntry::partition)
                                                .thenComparingLong(JournalEntry::offset)));
        return journal;
    }

    private boolean isOfRun(GenericRecord row) {
        return row.get("run_id").toString().equals(runId);
    }

    private static String admission(GenericRecord row) {
        return row.get("attempt_id") + " " + row.get("admission_id");
    }
}
