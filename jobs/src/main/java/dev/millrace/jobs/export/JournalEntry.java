package dev.millrace.jobs.export;

import java.time.Instant;
import java.util.Optional;
import org.apache.avro.generic.GenericRecord;

/**
 * Something that happened to an attempt, as the journal's table has it.
 *
 * @param partition of its topic
 * @param offset in the partition
 * @param stage rollout or grading
 * @param effectId which effect completed
 * @param kind what completed
 * @param writtenMillis when, milliseconds since 1970; -1 in ledgers that don't say
 * @param wallMillis how long it took
 */
record JournalEntry(
        int partition,
        long offset,
        String stage,
        String effectId,
        String kind,
        long writtenMillis,
        long wallMillis) {
    private static final String WRITTEN = "topic_millis";

    static JournalEntry of(GenericRecord row) {
        Object written = row.hasField(WRITTEN) ? row.get(WRITTEN) : null;
        return new JournalEntry(
                (int) row.get("topic_partition"),
                (long) row.get("topic_offset"),
                row.get("stage").toString(),
                row.get("effect_id").toString(),
                row.get("kind").toString(),
                written == null ? -1 : (long) written,
                (long) row.get("wall_millis"));
    }

    /** When it had happened. */
    Optional<Instant> finished() {
        return writtenMillis < 0
                ? Optional.empty()
                : Optional.of(Instant.ofEpochMilli(writtenMillis));
    }

    /** When it began. */
    Optional<Instant> started() {
        return finished().map(end -> end.minusMillis(wallMillis));
    }
}
