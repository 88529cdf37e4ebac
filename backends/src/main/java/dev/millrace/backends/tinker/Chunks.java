package dev.millrace.backends.tinker;

import java.util.ArrayList;
import java.util.List;

/** Splits data into requests that servers accept. */
final class Chunks {
    private static final int MOST_DATA = 1024;
    private static final long MOST_BYTES = 5_000_000;
    private static final long BYTES_A_NUMBER = 10;

    private Chunks() {}

    /** In order; a datum that is too large for any request goes alone. */
    static List<List<LossDatum>> of(List<LossDatum> data) {
        List<List<LossDatum>> chunks = new ArrayList<>();
        List<LossDatum> chunk = new ArrayList<>();
        long bytes = 0;
        for (LossDatum datum : data) {
            long more = bytes(datum);
            if (!chunk.isEmpty() && (chunk.size() == MOST_DATA || bytes + more > MOST_BYTES)) {
                chunks.add(chunk);
                chunk = new ArrayList<>();
                bytes = 0;
            }
            chunk.add(datum);
            bytes += more;
        }
        chunks.add(chunk);
        return chunks;
    }

    /** As written in JSON. */
    private static long bytes(LossDatum datum) {
        int arrays = datum.weights() == null ? 4 : 5;
        return BYTES_A_NUMBER * arrays * datum.length();
    }
}
