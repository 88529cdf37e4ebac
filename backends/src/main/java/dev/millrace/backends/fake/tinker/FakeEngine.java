package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Models and checkpoints of a fake server. Operations run on one thread. */
final class FakeEngine {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerShape shape;
    private final ServerFaults faults;
    private final Map<String, Adapter> loaded = new ConcurrentHashMap<>();
    private final Map<String, BigramModel> checkpoints = new ConcurrentHashMap<>();
    private final AtomicInteger created = new AtomicInteger();
    private final AtomicInteger gradients = new AtomicInteger();
    private final AtomicInteger updates = new AtomicInteger();
    private Adapter last;

    FakeEngine(ServerShape shape, ServerFaults faults) {
        this.shape = shape;
        this.faults = faults;
    }

    private BigramModel baseModel() {
        return new BigramModel(shape.vocabulary(), shape.seed());
    }

    JsonNode create(String session, JsonNode call) {
        int rank = call.path("lora_config").path("rank").asInt();
        if (rank < 1 || rank > shape.maxRank()) {
            throw new Refusal(
                    400, "LoRA rank " + rank + " must be between 1 and " + shape.maxRank());
        }
        if (loaded.size() >= shape.slots()) {
            throw new Refusal(
                    400, "Maximum number of LoRA adapters (" + shape.slots() + ") reached");
        }
        String id = "model_" + created.incrementAndGet();
        Adapter adapter = new Adapter(id, session, baseModel());
        if (faults.handsGradientsOn && last != null) {
            adapter.inherit(last);
        }
        loaded.put(id, adapter);
        return JSON.createObjectNode().put("model_id", id);
    }

    /** Changes nothing, and is of use only to a model that is there. */
    JsonNode forward(JsonNode call) {
        adapter(call).countCall();
        return JSON.createObjectNode().put("loss_fn_output_type", "scalar");
    }

    JsonNode forwardBackward(JsonNode call) {
        Adapter adapter = adapter(call);
        adapter.countCall();
        JsonNode input = call.path("forward_backward_input");
        JsonNode bounds = input.path("loss_fn_config");
        gradients.incrementAndGet();
        ObjectNode result = JSON.createObjectNode().put("loss_fn_output_type", "scalar");
        ArrayNode outputs = result.putArray("loss_fn_outputs");
        double loss = 0;
        for (JsonNode datum : input.path("data")) {
            StrictData.check(datum, shape.vocabulary());
            double[][] found =
                    adapter.gather(
                            datum,
                            bounds.path("clip_low_threshold").asDouble(0.8),
                            bounds.path("clip_high_threshold").asDouble(1.2),
                            faults.averages);
            ArrayNode logprobs = outputs.addObject().putObject("logprobs").putArray("data");
            for (int i = 0; i < found[0].length; i++) {
                logprobs.add((float) found[0][i]);
                loss += found[1][i];
            }
        }
        result.putObject("metrics").put("loss:sum", loss);
        return result;
    }

    JsonNode update(JsonNode call) {
        Adapter adapter = adapter(call);
        adapter.countCall();
        updates.incrementAndGet();
        JsonNode adam = call.path("adam_params");
        double norm =
                adapter.update(
                        new BigramModel.AdamValues(
                                adam.path("learning_rate").asDouble(),
                                adam.path("beta1").asDouble(),
                                adam.path("beta2").asDouble(),
                                adam.path("eps").asDouble(),
                                adam.path("weight_decay").asDouble()),
                        faults.averages);
        ObjectNode result = JSON.createObjectNode();
        result.putObject("metrics").put("skyrl.ai/grad_norm", norm);
        return result;
    }

    /**
     * Keeps a checkpoint.
     *
     * @param folder {@code weights} or {@code sampler_weights}
     */
    JsonNode save(JsonNode call, String folder) {
        Adapter adapter = adapter(call);
        adapter.countCall();
        String path = path(call, folder);
        checkpoints.put(path, adapter.model().copy());
        return JSON.createObjectNode().put("path", path);
    }

    static String path(JsonNode call, String folder) {
        return "tinker://"
                + call.path("model_id").asText()
                + "/"
                + folder
                + "/"
                + call.path("path").asText();
    }

    JsonNode load(JsonNode call) {
        Adapter adapter = adapter(call);
        if (adapter.countCall() > 0) {
            throw new Refusal(400, "LoadWeights is not permitted with seq_id 2");
        }
        BigramModel kept = checkpoints.get(call.path("path").asText());
        if (kept == null || !call.path("path").asText().contains("/weights/")) {
            throw new Refusal(404, "Checkpoint not found: " + call.path("path").asText());
        }
        loaded.put(
                adapter.id(), withCalls(new Adapter(adapter.id(), adapter.session(), kept.copy())));
        return JSON.createObjectNode().put("type", "load_weights");
    }

    private static Adapter withCalls(Adapter adapter) {
        adapter.countCall();
        return adapter;
    }

    /** Samples from a publication, or from the base model when the path is empty. */
    JsonNode sample(String path, JsonNode call) {
        BigramModel model = served(path);
        JsonNode prompt = call.path("prompt").path("chunks").path(0).path("tokens");
        JsonNode parameters = call.path("sampling_params");
        SplittableRandom random = new SplittableRandom(parameters.path("seed").asLong());
        ObjectNode result = JSON.createObjectNode();
        ObjectNode sequence = result.putArray("sequences").addObject();
        ArrayNode tokens = sequence.putArray("tokens");
        ArrayNode logprobs = sequence.putArray("logprobs");
        int last = prompt.get(prompt.size() - 1).asInt();
        boolean stopped = false;
        for (int i = 0; i < parameters.path("max_tokens").asInt() && !stopped; i++) {
            double[] row = model.logprobs(last);
            last = choose(row, parameters.path("temperature").asDouble(1), random.nextDouble());
            tokens.add(last);
            logprobs.add((float) row[last]);
            for (JsonNode stop : parameters.path("stop")) {
                stopped |= stop.asInt() == last;
            }
        }
        sequence.put("stop_reason", stopped ? "stop" : "length");
        if (call.path("prompt_logprobs").asBoolean()) {
            promptLogprobs(result.putArray("prompt_logprobs"), model, prompt);
        }
        return result;
    }

    private void promptLogprobs(ArrayNode values, BigramModel model, JsonNode prompt) {
        if (!faults.leavesFirstLogprobOut) {
            values.addNull();
        }
        for (int i = 1; i < prompt.size(); i++) {
            values.add((float) model.logprobs(prompt.get(i - 1).asInt())[prompt.get(i).asInt()]);
        }
    }

    private BigramModel served(String path) {
        if (path.isEmpty()) {
            return baseModel();
        }
        BigramModel kept = checkpoints.get(path);
        if (kept == null) {
            throw new Refusal(404, "Checkpoint not found: " + path);
        }
        if (faults.overwritesPublications) {
            Adapter adapter = loaded.get(path.split("/", -1)[2]);
            if (adapter == null) {
                throw new Refusal(400, "Model " + path + " not loaded");
            }
            return adapter.model();
        }
        return kept;
    }

    private static int choose(double[] logprobs, double temperature, double random) {
        int best = 0;
        for (int i = 1; i < logprobs.length; i++) {
            best = logprobs[i] > logprobs[best] ? i : best;
        }
        if (temperature == 0) {
            return best;
        }
        double total = 0;
        for (double logprob : logprobs) {
            total += Math.exp(logprob / temperature);
        }
        double left = random * total;
        for (int i = 0; i < logprobs.length; i++) {
            left -= Math.exp(logprobs[i] / temperature);
            if (left < 0) {
                return i;
            }
        }
        return best;
    }

    JsonNode unload(JsonNode call) {
        String id = call.path("model_id").asText();
        last = loaded.remove(id);
        return JSON.createObjectNode().put("model_id", id);
    }

    void unloadSession(String session) {
        loaded.values().removeIf(adapter -> adapter.session().equals(session));
    }

    void unloadAll() {
        loaded.clear();
    }

    boolean isLoaded(String modelId) {
        return loaded.containsKey(modelId);
    }

    boolean has(String path) {
        return checkpoints.containsKey(path);
    }

    /** Listed checkpoints of a model. */
    JsonNode list(String modelId) {
        ObjectNode result = JSON.createObjectNode();
        ArrayNode list = result.putArray("checkpoints");
        for (String path : checkpoints.keySet()) {
            if (path.startsWith("tinker://" + modelId + "/")) {
                list.addObject()
                        .put("tinker_path", path)
                        .put(
                                "checkpoint_type",
                                path.contains("/weights/") ? "training" : "sampler");
            }
        }
        return result;
    }

    ServerCounts counts() {
        int saves = 0;
        for (String path : checkpoints.keySet()) {
            saves += path.contains("/weights/") ? 1 : 0;
        }
        return new ServerCounts(
                gradients.get(),
                updates.get(),
                saves,
                checkpoints.size() - saves,
                loaded.size(),
                created.get());
    }

    private Adapter adapter(JsonNode call) {
        String id = call.path("model_id").asText();
        Adapter adapter = loaded.get(id);
        if (adapter == null) {
            throw new Refusal(400, "Model " + id + " not loaded");
        }
        return adapter;
    }
}
