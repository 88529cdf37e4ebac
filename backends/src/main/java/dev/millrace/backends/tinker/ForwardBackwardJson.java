package dev.millrace.backends.tinker;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.backends.port.LossSpec;
import dev.millrace.backends.tinker.TinkerException.Kind;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** The call that gathers gradients, and its result, as JSON. */
final class ForwardBackwardJson {
    private ForwardBackwardJson() {}

    static byte[] request(String modelId, long sequence, List<LossDatum> data, LossSpec loss) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (JsonGenerator json = HttpAnswer.JSON.createGenerator(bytes)) {
            json.writeStartObject();
            json.writeStringField("model_id", modelId);
            json.writeNumberField("seq_id", sequence);
            json.writeObjectFieldStart("forward_backward_input");
            json.writeStringField("loss_fn", "ppo");
            json.writeObjectFieldStart("loss_fn_config");
            json.writeNumberField("clip_low_threshold", loss.clipLow());
            json.writeNumberField("clip_high_threshold", loss.clipHigh());
            json.writeEndObject();
            json.writeArrayFieldStart("data");
            for (LossDatum datum : data) {
                write(json, datum);
            }
            json.writeEndArray();
            json.writeEndObject();
            json.writeEndObject();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    private static void write(JsonGenerator json, LossDatum datum) throws IOException {
        json.writeStartObject();
        json.writeObjectFieldStart("model_input");
        json.writeArrayFieldStart("chunks");
        json.writeStartObject();
        json.writeStringField("type", "encoded_text");
        json.writeFieldName("tokens");
        json.writeArray(datum.inputs(), 0, datum.inputs().length);
        json.writeEndObject();
        json.writeEndArray();
        json.writeEndObject();
        json.writeObjectFieldStart("loss_fn_inputs");
        json.writeObjectFieldStart("target_tokens");
        json.writeFieldName("data");
        json.writeArray(datum.targets(), 0, datum.targets().length);
        end(json, "int64", datum.targets().length);
        floats(json, "logprobs", datum.logprobs());
        floats(json, "advantages", datum.advantages());
        if (datum.weights() != null) {
            floats(json, "weights", datum.weights());
        }
        json.writeEndObject();
        json.writeEndObject();
    }

    private static void floats(JsonGenerator json, String name, float[] values) throws IOException {
        json.writeObjectFieldStart(name);
        json.writeArrayFieldStart("data");
        for (float value : values) {
            json.writeNumber(value);
        }
        json.writeEndArray();
        end(json, "float32", values.length);
    }

    private static void end(JsonGenerator json, String type, int length) throws IOException {
        json.writeStringField("dtype", type);
        json.writeArrayFieldStart("shape");
        json.writeNumber(length);
        json.writeEndArray();
        json.writeEndObject();
    }

    /** The log-probabilities of each datum's targets. */
    static List<float[]> logprobs(JsonNode result) {
        List<float[]> all = new ArrayList<>();
        for (JsonNode output : result.path("loss_fn_outputs")) {
            all.add(floats(output.path("logprobs").path("data")));
        }
        return all;
    }

    /** Numbers; what is missing becomes NaN. */
    static float[] floats(JsonNode array) {
        if (!array.isArray()) {
            throw new TinkerException(
                    Kind.OPERATION, "The server's result has no log-probabilities.");
        }
        float[] values = new float[array.size()];
        for (int i = 0; i < values.length; i++) {
            JsonNode value = array.get(i);
            values[i] = value.isNumber() ? (float) value.asDouble() : Float.NaN;
        }
        return values;
    }
}
