package dev.millrace.backends.embedded;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** Values of all weight matrices of a policy, rows first. */
record Weights(ModelShape shape, float[][] values) {

    /** Random weights; the same seed gives the same. */
    static Weights random(ModelShape shape, long seed) {
        Weights weights = zeros(shape);
        List<Layout.Matrix> layout = Layout.of(shape);
        Random random = new Random(seed);
        for (int i = 0; i < layout.size(); i++) {
            Layout.Matrix matrix = layout.get(i);
            float[] value = weights.values[i];
            switch (matrix.start()) {
                case ZERO -> {}
                case ONE -> Arrays.fill(value, 1f);
                case NORMAL -> {
                    for (int j = 0; j < value.length; j++) {
                        value[j] = (float) (random.nextGaussian() * matrix.deviation());
                    }
                }
            }
        }
        return weights;
    }

    static Weights zeros(ModelShape shape) {
        List<Layout.Matrix> layout = Layout.of(shape);
        float[][] values = new float[layout.size()][];
        for (int i = 0; i < values.length; i++) {
            values[i] = new float[layout.get(i).size()];
        }
        return new Weights(shape, values);
    }

    Weights copy() {
        float[][] copied = new float[values.length][];
        for (int i = 0; i < copied.length; i++) {
            copied[i] = values[i].clone();
        }
        return new Weights(shape, copied);
    }

    long count() {
        long count = 0;
        for (float[] value : values) {
            count += value.length;
        }
        return count;
    }

    float[] get(int index) {
        return values[index];
    }

    float[] inLayer(int layer, int offset) {
        return values[Layout.inLayer(layer, offset)];
    }
}
