package dev.millrace.backends.embedded;

import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.DataType;
import ai.djl.ndarray.types.Shape;
import ai.djl.nn.Activation;

/** The model of {@link Inference}, over whole sequences and differentiable. */
final class TorchTransformer {
    private static final float FUTURE = -1e9f;

    private final ModelShape shape;
    private final NDArray[] parameters;
    private final NDManager scope;

    TorchTransformer(ModelShape shape, NDArray[] parameters, NDManager scope) {
        this.shape = shape;
        this.parameters = parameters;
        this.scope = scope;
    }

    /** Log-probabilities of all tokens at the rows that count: rows x vocabulary. */
    NDArray logprobs(TokenBatch batch) {
        int count = batch.sequences();
        int length = batch.length();
        int width = shape.width();
        NDArray ids = scope.create(batch.inputs(), new Shape(count, length));
        NDArray distances =
                scope.create(distances(length), new Shape(1, shape.heads(), length, length));
        NDArray x = parameters[Layout.EMBEDDING].get(ids);
        for (int layer = 0; layer < shape.layers(); layer++) {
            x = x.add(attention(layer, x, distances));
            x = x.add(feedForward(layer, x));
        }
        NDArray hidden = normalize(x, Layout.FINAL_GAIN, Layout.FINAL_BIAS);
        NDArray rows = scope.create(batch.rows(), new Shape(batch.rows().length));
        NDArray byWord =
                hidden.reshape(-1, width)
                        .get(rows)
                        .matMul(parameters[Layout.EMBEDDING].transpose());
        NDArray byCopy = copies(hidden, ids).reshape(-1, shape.vocabulary()).get(rows);
        return byWord.add(byCopy).logSoftmax(-1);
    }

    private NDArray attention(int layer, NDArray x, NDArray distances) {
        Shape of = x.getShape();
        int width = shape.width();
        int heads = shape.heads();
        int headWidth = shape.headWidth();
        long count = of.get(0);
        long length = of.get(1);
        NDArray h =
                normalize(
                        x,
                        Layout.inLayer(layer, Layout.NORM1_GAIN),
                        Layout.inLayer(layer, Layout.NORM1_BIAS));
        NDArray qkv =
                h.matMul(inLayer(layer, Layout.QKV))
                        .add(inLayer(layer, Layout.QKV_BIAS))
                        .reshape(count, length, 3, heads, headWidth)
                        .transpose(2, 0, 3, 1, 4);
        NDArray shifted =
                before(h)
                        .matMul(inLayer(layer, Layout.SHIFT))
                        .reshape(count, length, heads, headWidth)
                        .transpose(0, 2, 1, 3);
        NDArray keys = qkv.get(1).add(shifted);
        NDArray weights =
                qkv.get(0)
                        .matMul(keys.swapAxes(2, 3))
                        .mul(number(1 / Math.sqrt(headWidth)))
                        .add(distances)
                        .softmax(-1);
        return weights.matMul(qkv.get(2))
                .transpose(0, 2, 1, 3)
                .reshape(count, length, width)
                .matMul(inLayer(layer, Layout.OUT))
                .add(inLayer(layer, Layout.OUT_BIAS));
    }

    private NDArray feedForward(int layer, NDArray x) {
        NDArray h =
                normalize(
                        x,
                        Layout.inLayer(layer, Layout.NORM2_GAIN),
                        Layout.inLayer(layer, Layout.NORM2_BIAS));
        NDArray up =
                Activation.relu(
                        h.matMul(inLayer(layer, Layout.UP)).add(inLayer(layer, Layout.UP_BIAS)));
        return up.matMul(inLayer(layer, Layout.DOWN)).add(inLayer(layer, Layout.DOWN_BIAS));
    }

    /** What the copy head adds to the logits: sequences x length x vocabulary. */
    private NDArray copies(NDArray hidden, NDArray ids) {
        int length = (int) ids.getShape().get(1);
        NDArray queries = hidden.matMul(parameters[Layout.COPY_QUERY]);
        NDArray keys =
                hidden.matMul(parameters[Layout.COPY_KEY])
                        .add(before(hidden).matMul(parameters[Layout.COPY_SHIFT]));
        NDArray past = scope.create(past(length), new Shape(1, length, length));
        NDArray weights =
                queries.matMul(keys.swapAxes(1, 2))
                        .mul(number(1 / Math.sqrt(Layout.copyWidth(shape))))
                        .add(past)
                        .softmax(-1);
        NDArray oneHot = ids.oneHot(shape.vocabulary(), DataType.FLOAT32);
        return weights.matMul(oneHot)
                .mul(parameters[Layout.COPY_GAIN])
                .mul(number(Inference.COPY_SCALE));
    }

    /**
     * A number that lives as long as the graph. {@code mul(Number)} must not be used here: DJL
     * frees its number before the backward pass reads it, which gives gradients of whatever lies
     * there.
     */
    private NDArray number(double value) {
        return scope.create((float) value);
    }

    /** The same rows one place later, zeros first. */
    private NDArray before(NDArray h) {
        Shape of = h.getShape();
        NDArray zero = scope.zeros(new Shape(of.get(0), 1, of.get(2)));
        return of.get(1) == 1 ? zero : zero.concat(h.get(":, :" + (of.get(1) - 1)), 1);
    }

    private NDArray normalize(NDArray x, int gain, int bias) {
        return x.getNDArrayInternal()
                .layerNorm(x, new Shape(shape.width()), parameters[gain], parameters[bias], 1e-5f)
                .head();
    }

    private NDArray inLayer(int layer, int offset) {
        return parameters[Layout.inLayer(layer, offset)];
    }

    private float[] distances(int length) {
        float[] all = new float[shape.heads() * length * length];
        int at = 0;
        for (int head = 0; head < shape.heads(); head++) {
            for (int i = 0; i < length; i++) {
                for (int j = 0; j < length; j++) {
                    all[at++] = j > i ? FUTURE : -shape.slope(head) * (i - j);
                }
            }
        }
        return all;
    }

    private static float[] past(int length) {
        float[] all = new float[length * length];
        for (int i = 0; i < length; i++) {
            for (int j = i + 1; j < length; j++) {
                all[i * length + j] = FUTURE;
            }
        }
        return all;
    }
}
