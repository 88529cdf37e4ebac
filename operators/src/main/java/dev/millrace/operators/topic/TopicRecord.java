package dev.millrace.operators.topic;

/**
 * What a topic source emits: a record of the topic, or a mark about the reading of it. Marks travel
 * the same channels as the records, in order with them.
 *
 * @param kind which of the two; decides which of the other parts are set
 * @param topic full name
 * @param partition of a DATA or FINAL record, else -1
 * @param offset of a DATA or FINAL record, else -1
 * @param key of the Kafka record, empty when it has none; of a repeated CAUGHT_UP the route it goes
 *     by
 * @param value of a DATA record as written, empty otherwise; never null
 * @param writtenMillis when a DATA or FINAL record was written, milliseconds since 1970, else -1
 * @param readerIndex of CAUGHT_UP: which reader says so, else -1
 * @param readers of CAUGHT_UP: how many readers the topic has, else 0
 */
public record TopicRecord(
        Kind kind,
        String topic,
        int partition,
        long offset,
        String key,
        byte[] value,
        long writtenMillis,
        int readerIndex,
        int readers) {

    /** Key of the record that ends a partition. */
    public static final String FINAL_KEY = "__final__";

    private static final byte[] NOTHING = {};

    /** What is said. */
    public enum Kind {
        /** A record of the topic. */
        DATA,
        /** The reader has passed the end that the topic had when the reader opened. */
        CAUGHT_UP,
        /** The final marker of a partition: nothing of it follows. */
        FINAL
    }

    /** A record read from a topic; a final marker when its key says so. */
    static TopicRecord read(String topic, int partition, long offset, String key, byte[] value) {
        Kind kind = FINAL_KEY.equals(key) ? Kind.FINAL : Kind.DATA;
        byte[] content = value == null || kind == Kind.FINAL ? NOTHING : value;
        return new TopicRecord(
                kind, topic, partition, offset, key == null ? "" : key, content, -1, -1, 0);
    }

    /** Says that a reader has caught up. */
    public static TopicRecord caughtUp(String topic, int readerIndex, int readers) {
        return new TopicRecord(
                Kind.CAUGHT_UP, topic, -1, -1, "", NOTHING, -1, readerIndex, readers);
    }

    /** A record as it is read from a topic, for tests and for records that never were in one. */
    public static TopicRecord data(
            String topic, int partition, long offset, String key, byte[] value) {
        return new TopicRecord(Kind.DATA, topic, partition, offset, key, value, -1, -1, 0);
    }

    /** The same, with the time of its writing in milliseconds since 1970. */
    public TopicRecord writtenAt(long millis) {
        return new TopicRecord(
                kind, topic, partition, offset, key, value, millis, readerIndex, readers);
    }

    /** The same under another key. */
    TopicRecord withKey(String other) {
        return new TopicRecord(
                kind, topic, partition, offset, other, value, writtenMillis, readerIndex, readers);
    }

    /** Names the record for a person: {@code topic/partition@offset}. */
    public String where() {
        return topic + "/" + partition + "@" + offset;
    }
}
