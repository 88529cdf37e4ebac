package dev.millrace.pipeline.ledger;

/**
 * A record on its way to a table.
 *
 * @param table name of the {@link LedgerTable} that it belongs to; that of GROUPS also stands for
 *     its attempts
 * @param id the first line of an id in a table is written, later ones are repeats
 * @param partition of its topic
 * @param offset in the partition
 * @param writtenMillis when it was written, milliseconds since 1970; -1 when that is not known
 * @param value the record as it was written
 */
public record LedgerLine(
        String table, String id, int partition, long offset, long writtenMillis, byte[] value) {

    /** What repeats are told by. */
    String key() {
        return table + ' ' + id;
    }
}
