package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** A model that is trained: its weights, what has gathered since the last update, its calls. */
final class Adapter {
    private final String id;
    private final String session;
    private final BigramModel model;
    private final List<double[]> gathered = new ArrayList<>();
    private int calls;

    Adapter(String id, String session, BigramModel model) {
        this.id = id;
        this.session = session;
        this.model = model;
    }

    String id() {
        return id;
    }

    String session() {
        return session;
    }

    BigramModel model() {
        return model;
    }

    /** Takes over what another has gathered and not used. */
    void inherit(Adapter other) {
        gathered.addAll(other.gathered);
    }

    /** How many operations were asked of it before this one. */
    int countCall() {
        return calls++;
    }

    /**
     * Gathers the gradient of one sequence.
     *
     * @param mean whether its tokens are averaged
     * @return log-probabilities and losses of its targets
     */
    double[][] gather(JsonNode datum, double low, double high, boolean mean) {
        JsonNode inputs = datum.path("model_input").path("chunks").path(0).path("tokens");
        JsonNode tensors = datum.path("loss_fn_inputs");
        int length = inputs.size();
        double[] gradient = new double[model.parameters()];
        double[][] found = new double[2][length];
        double weights = 0;
        for (int i = 0; i < length; i++) {
            int token = inputs.get(i).asInt();
            int target = value(tensors, "target_tokens", i, 0).intValue();
            double weight = value(tensors, "weights", i, 1).doubleValue();
            double advantage = value(tensors, "advantages", i, 0).doubleValue();
            double logprob = model.logprobs(token)[target];
            double ratio = Math.exp(logprob - value(tensors, "logprobs", i, 0).doubleValue());
            double bounded = Math.max(low, Math.min(high, ratio));
            boolean clipped = bounded * advantage < ratio * advantage;
            found[0][i] = logprob;
            found[1][i] = -weight * (clipped ? bounded : ratio) * advantage;
            weights += weight;
            if (!clipped) {
                model.addGradient(gradient, token, target, -weight * ratio * advantage);
            }
        }
        if (mean) {
            double divisor = Math.max(weights, 1e-9);
            for (int i = 0; i < gradient.length; i++) {
                gradient[i] /= divisor;
            }
        }
        gathered.add(gradient);
        return found;
    }

    private static Number value(JsonNode tensors, String name, int at, double missing) {
        JsonNode data = tensors.path(name).path("data");
        return data.isMissingNode() ? missing : data.path(at).numberValue();
    }

    /**
     * One update.
     *
     * @param mean whether sequences are averaged
     * @return the gradient's norm
     */
    double update(BigramModel.AdamValues adam, boolean mean) {
        double[] sum = new double[model.parameters()];
        double norm = 0;
        for (int i = 0; i < sum.length; i++) {
            for (double[] gradient : gathered) {
                sum[i] += gradient[i];
            }
            sum[i] /= mean ? Math.max(1, gathered.size()) : 1;
            norm += sum[i] * sum[i];
        }
        gathered.clear();
        model.update(sum, adam);
        return Math.sqrt(norm);
    }
}
