package dev.millrace.backends.embedded;

import java.util.Arrays;

/**
 * Reads one token sequence and says what comes next: a transformer without absolute positions.
 * Distance enters by ALiBi; the key of a token also carries the token before it, so "what followed
 * this the last time" is one attention step; and a copy head adds its attention straight to the
 * logits of the tokens it looks at (after See et al. 2017). Not thread-safe.
 */
final class Inference {
    /**
     * Scales the copy head's learned gain. What it can add to a logit must outweigh the sum of all
     * other tokens, or even a certain copy keeps a few percent of error.
     */
    static final float COPY_SCALE = 14f;

    /** Tokens that are read at a time. */
    private static final int BLOCK = 8;

    private static final int FIRST_CAPACITY = 64;

    private final ServedPolicy policy;
    private final ModelShape shape;
    private final AttentionMemory[] layers;
    private final AttentionMemory copyMemory;

    /** For each layer, and at the end the copy head: the token before, after normalisation. */
    private final float[][] previous;

    private final float[] logits;
    private int[] tokens = new int[FIRST_CAPACITY];
    private int length;

    Inference(ServedPolicy policy) {
        this.policy = policy;
        shape = policy.shape();
        layers = new AttentionMemory[shape.layers()];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = new AttentionMemory(shape.width(), shape.width(), FIRST_CAPACITY);
        }
        copyMemory = new AttentionMemory(Layout.copyWidth(shape), 0, FIRST_CAPACITY);
        previous = new float[shape.layers() + 1][shape.width()];
        logits = new float[shape.vocabulary()];
    }

    private Inference(Inference other) {
        policy = other.policy;
        shape = other.shape;
        layers = new AttentionMemory[other.layers.length];
        for (int i = 0; i < layers.length; i++) {
            layers[i] = other.layers[i].copy();
        }
        copyMemory = other.copyMemory.copy();
        previous = new float[other.previous.length][];
        for (int i = 0; i < previous.length; i++) {
            previous[i] = other.previous[i].clone();
        }
        logits = other.logits.clone();
        tokens = other.tokens.clone();
        length = other.length;
    }

    /** One that has read the same. */
    Inference copy() {
        return new Inference(this);
    }

    /** How many tokens it has read. */
    int length() {
        return length;
    }

    /** Reads what of {@code sequence} lies at {@code from} and after it. */
    void read(int[] sequence, int from) {
        for (int at = from; at < sequence.length; at += BLOCK) {
            readBlock(sequence, at, Math.min(BLOCK, sequence.length - at), null);
        }
    }

    /** Reads a whole sequence and returns log-probabilities; element 0 is 0. */
    float[] logprobs(int[] sequence) {
        float[] result = new float[sequence.length];
        for (int at = 0; at < sequence.length; at += BLOCK) {
            readBlock(sequence, at, Math.min(BLOCK, sequence.length - at), result);
        }
        return result;
    }

    /** Scores of the next token; belongs to this object and lasts until more is read. */
    float[] logits() {
        return logits;
    }

    private void readBlock(int[] sequence, int from, int rows, float[] logprobs) {
        int width = shape.width();
        if (length + rows > tokens.length) {
            tokens = Arrays.copyOf(tokens, 2 * tokens.length);
        }
        float[] x = new float[rows * width];
        for (int r = 0; r < rows; r++) {
            int token = sequence[from + r];
            tokens[length + r] = token;
            System.arraycopy(
                    policy.weights().get(Layout.EMBEDDING), token * width, x, r * width, width);
        }
        float[] normed = new float[rows * width];
        for (int layer = 0; layer < layers.length; layer++) {
            attend(layer, x, normed, rows);
            feedForward(layer, x, normed, rows);
        }
        Weights w = policy.weights();
        Kernels.normalize(
                x, rows, width, w.get(Layout.FINAL_GAIN), w.get(Layout.FINAL_BIAS), normed);
        float[] queries = rememberForCopying(normed, rows);
        for (int r = 0; r < rows; r++) {
            boolean last = from + r + 1 == sequence.length;
            if (last || logprobs != null) {
                score(normed, queries, r);
            }
            if (logprobs != null && !last) {
                int next = sequence[from + r + 1];
                logprobs[from + r + 1] = (float) (logits[next] - Kernels.logSumExp(logits));
            }
        }
        length += rows;
    }

    private void attend(int layer, float[] x, float[] normed, int rows) {
        int width = shape.width();
        Weights w = policy.weights();
        Kernels.normalize(
                x,
                rows,
                width,
                w.inLayer(layer, Layout.NORM1_GAIN),
                w.inLayer(layer, Layout.NORM1_BIAS),
                normed);
        float[] qkv = new float[rows * 3 * width];
        Kernels.setRows(w.inLayer(layer, Layout.QKV_BIAS), rows, qkv);
        Kernels.addProduct(normed, rows, width, w.inLayer(layer, Layout.QKV), 3 * width, qkv);
        float[] shifted = shift(layer, normed, rows, w.inLayer(layer, Layout.SHIFT), width);
        float[] mixed = new float[rows * width];
        float[] key = new float[width];
        for (int r = 0; r < rows; r++) {
            int at = r * 3 * width;
            for (int d = 0; d < width; d++) {
                key[d] = qkv[at + width + d] + shifted[r * width + d];
            }
            layers[layer].put(length + r, key, 0, qkv, at + 2 * width);
            mix(layer, qkv, at, length + r + 1, mixed, r * width);
        }
        Kernels.addProduct(mixed, rows, width, w.inLayer(layer, Layout.OUT), width, x);
        addBias(w.inLayer(layer, Layout.OUT_BIAS), rows, x);
    }

    private void mix(int layer, float[] query, int queryAt, int count, float[] mixed, int to) {
        int headWidth = shape.headWidth();
        float scale = (float) (1 / Math.sqrt(headWidth));
        float[] scores = new float[count];
        for (int head = 0; head < shape.heads(); head++) {
            Arrays.fill(scores, 0f);
            int column = head * headWidth;
            layers[layer].addScores(query, queryAt + column, column, headWidth, count, scores);
            float slope = shape.slope(head);
            for (int j = 0; j < count; j++) {
                scores[j] = scores[j] * scale - slope * (count - 1 - j);
            }
            Kernels.softmax(scores, count);
            layers[layer].addValues(scores, column, headWidth, count, mixed, to + column);
        }
    }

    private void feedForward(int layer, float[] x, float[] normed, int rows) {
        int width = shape.width();
        int inner = shape.feedForwardWidth();
        Weights w = policy.weights();
        Kernels.normalize(
                x,
                rows,
                width,
                w.inLayer(layer, Layout.NORM2_GAIN),
                w.inLayer(layer, Layout.NORM2_BIAS),
                normed);
        float[] up = new float[rows * inner];
        Kernels.setRows(w.inLayer(layer, Layout.UP_BIAS), rows, up);
        Kernels.addProduct(normed, rows, width, w.inLayer(layer, Layout.UP), inner, up);
        Kernels.rectify(up, up.length);
        Kernels.addProduct(up, rows, inner, w.inLayer(layer, Layout.DOWN), width, x);
        addBias(w.inLayer(layer, Layout.DOWN_BIAS), rows, x);
    }

    /** Stores the copy head's keys and returns its queries. */
    private float[] rememberForCopying(float[] normed, int rows) {
        int width = shape.width();
        int copyWidth = Layout.copyWidth(shape);
        Weights w = policy.weights();
        float[] keys = shift(layers.length, normed, rows, w.get(Layout.COPY_SHIFT), copyWidth);
        Kernels.addProduct(normed, rows, width, w.get(Layout.COPY_KEY), copyWidth, keys);
        for (int r = 0; r < rows; r++) {
            copyMemory.put(length + r, keys, r * copyWidth, keys, 0);
        }
        float[] queries = new float[rows * copyWidth];
        Kernels.addProduct(normed, rows, width, w.get(Layout.COPY_QUERY), copyWidth, queries);
        return queries;
    }

    private void score(float[] normed, float[] queries, int row) {
        int width = shape.width();
        int copyWidth = Layout.copyWidth(shape);
        int count = length + row + 1;
        Arrays.fill(logits, 0f);
        float[] hidden = Arrays.copyOfRange(normed, row * width, (row + 1) * width);
        Kernels.addProduct(hidden, 1, width, policy.unembedding(), shape.vocabulary(), logits);
        float[] scores = new float[count];
        copyMemory.addScores(queries, row * copyWidth, 0, copyWidth, count, scores);
        float scale = (float) (1 / Math.sqrt(copyWidth));
        for (int j = 0; j < count; j++) {
            scores[j] *= scale;
        }
        Kernels.softmax(scores, count);
        float gain = COPY_SCALE * policy.weights().get(Layout.COPY_GAIN)[0];
        for (int j = 0; j < count; j++) {
            logits[tokens[j]] += gain * scores[j];
        }
    }

    /** Product of each row's predecessor with {@code w}; remembers the last row. */
    private float[] shift(int slot, float[] normed, int rows, float[] w, int out) {
        int width = shape.width();
        float[] before = new float[rows * width];
        System.arraycopy(previous[slot], 0, before, 0, width);
        System.arraycopy(normed, 0, before, width, (rows - 1) * width);
        System.arraycopy(normed, (rows - 1) * width, previous[slot], 0, width);
        float[] product = new float[rows * out];
        Kernels.addProduct(before, rows, width, w, out, product);
        return product;
    }

    private static void addBias(float[] bias, int rows, float[] x) {
        for (int r = 0; r < rows; r++) {
            Kernels.addScaled(1f, bias, 0, bias.length, x, r * bias.length);
        }
    }
}
