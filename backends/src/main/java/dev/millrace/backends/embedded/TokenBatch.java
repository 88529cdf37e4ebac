package dev.millrace.backends.embedded;

import dev.millrace.backends.port.Datum;
import java.util.List;

/**
 * Sequences side by side, filled up on the right, and the tokens in them that count. Attention only
 * looks back and knows distances only, so what fills up is seen by nobody.
 *
 * @param inputs sequences x length, without each one's last token
 * @param sequences how many
 * @param length of the longest
 * @param rows for each token that counts, where in {@code inputs} it is predicted
 * @param targets ids of those tokens
 * @param advantages of those tokens
 * @param behaviorLogprobs of those tokens
 */
record TokenBatch(
        long[] inputs,
        int sequences,
        int length,
        long[] rows,
        long[] targets,
        float[] advantages,
        float[] behaviorLogprobs) {

    static TokenBatch of(List<Datum> data) {
        int longest = 1;
        int counted = 0;
        for (Datum datum : data) {
            longest = Math.max(longest, datum.tokens().length - 1);
            for (int i = 1; i < datum.tokens().length; i++) {
                counted += datum.advantages()[i] != 0 ? 1 : 0;
            }
        }
        TokenBatch batch =
                new TokenBatch(
                        new long[data.size() * longest],
                        data.size(),
                        longest,
                        new long[counted],
                        new long[counted],
                        new float[counted],
                        new float[counted]);
        int at = 0;
        for (int s = 0; s < data.size(); s++) {
            at = batch.fill(data.get(s), s * longest, at);
        }
        return batch;
    }

    private int fill(Datum datum, int row, int from) {
        int at = from;
        int[] tokens = datum.tokens();
        for (int i = 0; i + 1 < tokens.length; i++) {
            inputs[row + i] = tokens[i];
            if (datum.advantages()[i + 1] != 0) {
                rows[at] = (long) row + i;
                targets[at] = tokens[i + 1];
                advantages[at] = datum.advantages()[i + 1];
                behaviorLogprobs[at] = datum.behaviorLogprobs()[i + 1];
                at++;
            }
        }
        return at;
    }
}
