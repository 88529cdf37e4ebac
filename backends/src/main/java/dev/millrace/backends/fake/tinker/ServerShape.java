package dev.millrace.backends.fake.tinker;

/**
 * What a fake server has.
 *
 * @param model name of its base model
 * @param vocabulary number of tokens
 * @param context most tokens of a sequence
 * @param seed of the base model's weights
 * @param maxRank of adapters
 * @param slots for adapters
 * @param key that callers must send; empty when none is asked for
 * @param sessionMillis a session ends that long after its last heartbeat
 * @param holdMillis a question for a result is held open that long
 */
public record ServerShape(
        String model,
        int vocabulary,
        int context,
        long seed,
        int maxRank,
        int slots,
        String key,
        long sessionMillis,
        long holdMillis) {

    /** A server for most tests. */
    public static ServerShape usual() {
        return new ServerShape("fake/bigram", 29, 512, 7, 8, 4, "tml-test", 60_000, 300);
    }

    /** The same with other slots and sessions. */
    public ServerShape with(int otherSlots, long otherSessionMillis) {
        return new ServerShape(
                model,
                vocabulary,
                context,
                seed,
                maxRank,
                otherSlots,
                key,
                otherSessionMillis,
                holdMillis);
    }
}
