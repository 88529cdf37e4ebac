package dev.millrace.backends.embedded;

import ai.djl.Device;
import ai.djl.engine.Engine;
import ai.djl.ndarray.NDArray;
import ai.djl.ndarray.NDManager;
import ai.djl.ndarray.types.Shape;
import ai.djl.training.GradientCollector;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossResult;
import java.util.List;

/**
 * Differentiates objectives with PyTorch. Holds no native memory between calls. Calls of all
 * engines in a process come one after the other: a session that was given up may still be at work
 * when the next begins, and DJL knows one collector at a time.
 */
final class GradientEngine {
    /** Sequences that are differentiated at a time; bounds native memory. */
    static final int MAX_SEQUENCES = 32;

    private static final Object ONE_COLLECTOR = new Object();
    private static final String THREADS = "ai.djl.pytorch.num_threads";

    GradientEngine() {
        if (System.getProperty(THREADS) == null) {
            System.setProperty(THREADS, "1");
        }
    }

    /** Adds the gradient of an objective, summed over the data, to {@code gradient}. */
    LossResult accumulate(
            Weights weights, List<Datum> data, Objective objective, Weights gradient) {
        LossTotals totals = new LossTotals();
        for (int from = 0; from < data.size(); from += MAX_SEQUENCES) {
            int to = Math.min(data.size(), from + MAX_SEQUENCES);
            TokenBatch batch = TokenBatch.of(data.subList(from, to));
            if (batch.targets().length > 0) {
                totals.add(differentiate(weights, batch, objective, gradient));
            }
        }
        return totals.result();
    }

    private static LossResult differentiate(
            Weights weights, TokenBatch batch, Objective objective, Weights gradient) {
        try (NDManager scope = NDManager.newBaseManager(Device.cpu())) {
            NDArray[] parameters = toNative(scope, weights);
            LossResult result = backward(weights, parameters, batch, objective, scope);
            for (int i = 0; i < parameters.length; i++) {
                NDArray grad = parameters[i].getGradient();
                grad.attach(scope);
                float[] part = grad.toFloatArray();
                Kernels.addScaled(1f, part, 0, part.length, gradient.get(i), 0);
            }
            return result;
        }
    }

    private static LossResult backward(
            Weights weights,
            NDArray[] parameters,
            TokenBatch batch,
            Objective objective,
            NDManager scope) {
        synchronized (ONE_COLLECTOR) {
            try (GradientCollector collector = Engine.getInstance().newGradientCollector()) {
                TorchTransformer model = new TorchTransformer(weights.shape(), parameters, scope);
                Objective.Value value = objective.evaluate(model.logprobs(batch), batch, scope);
                collector.backward(value.loss());
                return value.measure(batch);
            }
        }
    }

    private static NDArray[] toNative(NDManager scope, Weights weights) {
        List<Layout.Matrix> layout = Layout.of(weights.shape());
        NDArray[] parameters = new NDArray[layout.size()];
        for (int i = 0; i < parameters.length; i++) {
            Layout.Matrix matrix = layout.get(i);
            Shape shape =
                    matrix.rows() == 1
                            ? new Shape(matrix.columns())
                            : new Shape(matrix.rows(), matrix.columns());
            parameters[i] = scope.create(weights.get(i), shape);
            parameters[i].setRequiresGradient(true);
        }
        return parameters;
    }
}
