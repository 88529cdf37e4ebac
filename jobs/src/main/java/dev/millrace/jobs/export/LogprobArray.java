package dev.millrace.jobs.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import java.io.IOException;

/**
 * Part of the log-probabilities of a trajectory, as a JSON array.
 *
 * @param logprobs of the whole trajectory
 * @param from first of the part
 * @param to behind the last of the part
 */
record LogprobArray(float[] logprobs, int from, int to) implements JsonSerializable {

    /** Whether JSON has a number for each. */
    boolean finite() {
        for (int at = from; at < to; at++) {
            if (!Float.isFinite(logprobs[at])) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeStartArray();
        for (int at = from; at < to; at++) {
            json.writeNumber(logprobs[at]);
        }
        json.writeEndArray();
    }

    @Override
    public void serializeWithType(
            JsonGenerator json, SerializerProvider provider, TypeSerializer type)
            throws IOException {
        serialize(json, provider);
    }
}
