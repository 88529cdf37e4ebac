package dev.millrace.jobs.export;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import java.io.IOException;

/**
 * Part of the token ids of a trajectory, as a JSON array. Every turn names all tokens before it:
 * copies of them would take more memory than the trajectory many times over.
 *
 * @param ids of the whole trajectory
 * @param from first of the part
 * @param to behind the last of the part
 */
record TokenArray(int[] ids, int from, int to) implements JsonSerializable {
    @Override
    public void serialize(JsonGenerator json, SerializerProvider provider) throws IOException {
        json.writeArray(ids, from, to - from);
    }

    @Override
    public void serializeWithType(
            JsonGenerator json, SerializerProvider provider, TypeSerializer type)
            throws IOException {
        serialize(json, provider);
    }
}
