package dev.millrace.backends.fake.tinker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Reads the protobuf form of the call that gathers gradients into its JSON form. Written apart from
 * the client's writer, so that each checks the other.
 */
final class ProtobufCall {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int INT64 = 2;

    private final ByteBuffer in;

    private ProtobufCall(ByteBuffer in) {
        this.in = in.order(ByteOrder.LITTLE_ENDIAN);
    }

    static JsonNode read(byte[] body) throws IOException {
        ObjectNode call = JSON.createObjectNode();
        ObjectNode input = call.putObject("forward_backward_input");
        ObjectNode bounds = input.putObject("loss_fn_config");
        ArrayNode data = input.putArray("data");
        ProtobufCall message = new ProtobufCall(ByteBuffer.wrap(body));
        while (message.in.hasRemaining()) {
            switch (message.field()) {
                case 1 -> call.put("model_id", message.text());
                case 2 -> call.put("seq_id", (int) message.varint());
                case 3 -> message.nested().datum(data.addObject());
                case 4 -> input.put("loss_fn", message.text());
                case 5 -> message.nested().bound(bounds);
                case 6 -> call.put("forward_only", message.varint() != 0);
                default -> throw new IOException("unknown field");
            }
        }
        return call;
    }

    private void bound(ObjectNode bounds) throws IOException {
        String name = "";
        while (in.hasRemaining()) {
            if (field() == 1) {
                name = text();
            } else {
                bounds.put(name, in.getDouble());
            }
        }
    }

    private void datum(ObjectNode datum) throws IOException {
        ArrayNode tokens =
                datum.putObject("model_input")
                        .putArray("chunks")
                        .addObject()
                        .put("type", "encoded_text")
                        .putArray("tokens");
        ObjectNode tensors = datum.putObject("loss_fn_inputs");
        while (in.hasRemaining()) {
            if (field() == 1) {
                ProtobufCall chunk = nested();
                chunk.field();
                ProtobufCall text = chunk.nested();
                text.field();
                ByteBuffer packed = text.nested().in;
                while (packed.hasRemaining()) {
                    tokens.add(packed.getInt());
                }
            } else {
                nested().tensor(tensors);
            }
        }
    }

    private void tensor(ObjectNode tensors) throws IOException {
        field();
        ObjectNode tensor = tensors.putObject(text());
        field();
        ProtobufCall message = nested();
        ByteBuffer packed = ByteBuffer.allocate(0);
        long type = 0;
        while (message.in.hasRemaining()) {
            switch (message.field()) {
                case 1 -> packed = message.nested().in;
                case 3 -> type = message.varint();
                case 4 -> tensor.putArray("shape").add(message.varint());
                default -> throw new IOException("unknown field of a tensor");
            }
        }
        ArrayNode values = tensor.putArray("data");
        while (packed.hasRemaining()) {
            if (type == INT64) {
                values.add(packed.getLong());
            } else {
                values.add(packed.getFloat());
            }
        }
    }

    private int field() {
        return (int) (varint() >>> 3);
    }

    private String text() {
        return StandardCharsets.UTF_8.decode(nested().in).toString();
    }

    private ProtobufCall nested() {
        int length = (int) varint();
        ByteBuffer part = in.slice(in.position(), length);
        in.position(in.position() + length);
        return new ProtobufCall(part);
    }

    private long varint() {
        long value = 0;
        for (int shift = 0; ; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7f) << shift;
            if (next >= 0) {
                return value;
            }
        }
    }
}
