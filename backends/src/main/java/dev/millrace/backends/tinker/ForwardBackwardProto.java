package dev.millrace.backends.tinker;

import dev.millrace.backends.port.LossSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The call that gathers gradients, and its result, as protocol buffers. */
final class ForwardBackwardProto {
    private static final int FLOAT32 = 1;
    private static final int INT64 = 2;

    private ForwardBackwardProto() {}

    static byte[] request(String modelId, long sequence, List<LossDatum> data, LossSpec loss) {
        ProtoWriter request = new ProtoWriter().text(1, modelId).number(2, sequence);
        for (LossDatum datum : data) {
            request.message(3, datum(datum));
        }
        return request.text(4, "ppo")
                .message(5, bound("clip_low_threshold", loss.clipLow()))
                .message(5, bound("clip_high_threshold", loss.clipHigh()))
                .toBytes();
    }

    /** The same without a gradient, for one datum. */
    static byte[] forward(String modelId, long sequence, LossDatum datum) {
        return new ProtoWriter()
                .text(1, modelId)
                .number(2, sequence)
                .message(3, datum(datum))
                .text(4, "ppo")
                .number(6, 1L)
                .toBytes();
    }

    private static ProtoWriter bound(String name, double value) {
        return new ProtoWriter().text(1, name).number(2, value);
    }

    private static ProtoWriter datum(LossDatum datum) {
        ProtoWriter text = new ProtoWriter().bytes(1, ProtoWriter.packed(datum.inputs()));
        ProtoWriter message =
                new ProtoWriter()
                        .message(1, new ProtoWriter().message(1, text))
                        .message(
                                2,
                                entry(
                                        "target_tokens",
                                        ProtoWriter.packedLongs(datum.targets()),
                                        INT64,
                                        datum.length()))
                        .message(2, floats("logprobs", datum.logprobs()))
                        .message(2, floats("advantages", datum.advantages()));
        return datum.weights() == null
                ? message
                : message.message(2, floats("weights", datum.weights()));
    }

    private static ProtoWriter floats(String name, float[] values) {
        return entry(name, ProtoWriter.packed(values), FLOAT32, values.length);
    }

    private static ProtoWriter entry(String name, byte[] packed, int type, int length) {
        ProtoWriter tensor = new ProtoWriter().bytes(1, packed).number(3, (long) type);
        return new ProtoWriter().text(1, name).message(2, tensor.number(4, (long) length));
    }

    /** The log-probabilities of each datum's targets. */
    static List<float[]> logprobs(byte[] result) {
        List<float[]> all = new ArrayList<>();
        for (ProtoReader.Field field : ProtoReader.fields(result)) {
            if (field.number() == 2) {
                for (ProtoReader.Field part : ProtoReader.fields(field.bytes())) {
                    if (part.number() == 2) {
                        all.addAll(ofEntry(part.bytes()));
                    }
                }
            }
        }
        return all;
    }

    private static List<float[]> ofEntry(byte[] entry) {
        String name = "";
        byte[] tensor = new byte[0];
        for (ProtoReader.Field field : ProtoReader.fields(entry)) {
            if (field.number() == 1) {
                name = field.text();
            } else if (field.number() == 2) {
                tensor = field.bytes();
            }
        }
        return name.equals("logprobs") ? batch(tensor) : List.of();
    }

    /** A batch of arrays, one after the other, with the byte at which each begins. */
    private static List<float[]> batch(byte[] tensor) {
        byte[] data = new byte[0];
        long[] offsets = new long[0];
        for (ProtoReader.Field field : ProtoReader.fields(tensor)) {
            if (field.number() == 1) {
                data = field.bytes();
            } else if (field.number() == 2) {
                offsets = ProtoReader.longs(field.bytes());
            }
        }
        List<float[]> arrays = new ArrayList<>();
        for (int i = 0; i + 1 < offsets.length; i++) {
            if (offsets[i] < 0 || offsets[i + 1] < offsets[i] || offsets[i + 1] > data.length) {
                throw ProtoReader.broken();
            }
            arrays.add(
                    ProtoReader.floats(
                            Arrays.copyOfRange(data, (int) offsets[i], (int) offsets[i + 1])));
        }
        return arrays;
    }
}
