package dev.millrace.backends.sandbox;

/** Keeps the first half and the last half of a stream, and counts all of it. */
public final class HeadTailBuffer {
    private final byte[] head;
    private final byte[] ring;
    private long total;

    /** Keeps at most that many bytes. */
    public HeadTailBuffer(int limit) {
        head = new byte[limit - limit / 2];
        ring = new byte[limit / 2];
    }

    /** The next bytes of the stream. */
    public void accept(byte[] bytes, int offset, int length) {
        int toHead = (int) Math.max(0, Math.min(length, head.length - total));
        if (toHead > 0) {
            System.arraycopy(bytes, offset, head, (int) total, toHead);
        }
        long inTail = total + toHead - head.length;
        total += length;
        int left = length - toHead;
        int from = offset + toHead;
        if (left > ring.length) {
            inTail += left - ring.length;
            from += left - ring.length;
            left = ring.length;
        }
        while (left > 0) {
            int at = (int) (inTail % ring.length);
            int piece = Math.min(left, ring.length - at);
            System.arraycopy(bytes, from, ring, at, piece);
            from += piece;
            left -= piece;
            inTail += piece;
        }
    }

    /** Bytes seen in all. */
    public long total() {
        return total;
    }

    /** What was kept, in order. */
    public byte[] kept() {
        int first = (int) Math.min(total, head.length);
        long behind = total - first;
        int second = (int) Math.min(behind, ring.length);
        byte[] kept = new byte[first + second];
        System.arraycopy(head, 0, kept, 0, first);
        if (second > 0) {
            int at = (int) ((behind - second) % ring.length);
            int piece = Math.min(second, ring.length - at);
            System.arraycopy(ring, at, kept, first, piece);
            System.arraycopy(ring, 0, kept, first + piece, second - piece);
        }
        return kept;
    }
}
