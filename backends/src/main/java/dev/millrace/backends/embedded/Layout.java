package dev.millrace.backends.embedded;

import java.util.ArrayList;
import java.util.List;

/** Which weight matrices a policy has, in the order in which they are stored. */
final class Layout {
    /** How a matrix starts. */
    enum Start {
        ZERO,
        ONE,
        NORMAL
    }

    /**
     * A weight matrix; a vector has one row.
     *
     * @param deviation standard deviation of a normal start
     */
    record Matrix(String name, int rows, int columns, Start start, double deviation) {
        int size() {
            return rows * columns;
        }
    }

    static final int EMBEDDING = 0;
    static final int FINAL_GAIN = 1;
    static final int FINAL_BIAS = 2;
    static final int COPY_QUERY = 3;
    static final int COPY_KEY = 4;
    static final int COPY_SHIFT = 5;
    static final int COPY_GAIN = 6;
    private static final int FIRST_LAYER = 7;

    /** Offsets within a layer. */
    static final int NORM1_GAIN = 0;

    static final int NORM1_BIAS = 1;
    static final int QKV = 2;
    static final int QKV_BIAS = 3;
    static final int SHIFT = 4;
    static final int OUT = 5;
    static final int OUT_BIAS = 6;
    static final int NORM2_GAIN = 7;
    static final int NORM2_BIAS = 8;
    static final int UP = 9;
    static final int UP_BIAS = 10;
    static final int DOWN = 11;
    static final int DOWN_BIAS = 12;
    private static final int PER_LAYER = 13;

    private Layout() {}

    /** Index of a layer's matrix. */
    static int inLayer(int layer, int offset) {
        return FIRST_LAYER + layer * PER_LAYER + offset;
    }

    /** Width of the copy head's queries and keys. */
    static int copyWidth(ModelShape shape) {
        return Math.max(1, shape.width() / 2);
    }

    static List<Matrix> of(ModelShape shape) {
        int width = shape.width();
        double in = 1 / Math.sqrt(width);
        List<Matrix> all = new ArrayList<>();
        all.add(normal("embedding", shape.vocabulary(), width, in));
        all.add(new Matrix("final.gain", 1, width, Start.ONE, 0));
        all.add(zero("final.bias", width));
        all.add(normal("copy.query", width, copyWidth(shape), in));
        all.add(normal("copy.key", width, copyWidth(shape), in));
        all.add(normal("copy.shift", width, copyWidth(shape), in));
        all.add(new Matrix("copy.gain", 1, 1, Start.ONE, 0));
        for (int layer = 0; layer < shape.layers(); layer++) {
            addLayer(all, "layer" + layer + ".", shape);
        }
        return List.copyOf(all);
    }

    private static void addLayer(List<Matrix> all, String prefix, ModelShape shape) {
        int width = shape.width();
        int inner = shape.feedForwardWidth();
        double in = 1 / Math.sqrt(width);
        double residual = 1 / Math.sqrt(2.0 * shape.layers());
        all.add(new Matrix(prefix + "norm1.gain", 1, width, Start.ONE, 0));
        all.add(zero(prefix + "norm1.bias", width));
        all.add(normal(prefix + "qkv", width, 3 * width, in));
        all.add(zero(prefix + "qkv.bias", 3 * width));
        all.add(normal(prefix + "shift", width, width, in));
        all.add(normal(prefix + "out", width, width, in * residual));
        all.add(zero(prefix + "out.bias", width));
        all.add(new Matrix(prefix + "norm2.gain", 1, width, Start.ONE, 0));
        all.add(zero(prefix + "norm2.bias", width));
        all.add(normal(prefix + "up", width, inner, in));
        all.add(zero(prefix + "up.bias", inner));
        all.add(normal(prefix + "down", inner, width, residual / Math.sqrt(inner)));
        all.add(zero(prefix + "down.bias", width));
    }

    private static Matrix normal(String name, int rows, int columns, double deviation) {
        return new Matrix(name, rows, columns, Start.NORMAL, deviation);
    }

    private static Matrix zero(String name, int columns) {
        return new Matrix(name, 1, columns, Start.ZERO, 0);
    }
}
