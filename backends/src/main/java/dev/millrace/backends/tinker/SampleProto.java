package dev.millrace.backends.tinker;

/** A sample as protocol buffers. */
final class SampleProto {
    private SampleProto() {}

    static SampleResult read(byte[] message) {
        byte[] sequence = null;
        float[] prompt = null;
        for (ProtoReader.Field field : ProtoReader.fields(message)) {
            if (field.number() == 1 && sequence == null) {
                sequence = field.bytes();
            } else if (field.number() == 2) {
                prompt = ProtoReader.floats(field.bytes());
            }
        }
        if (sequence == null) {
            throw ProtoReader.broken();
        }
        boolean stopped = true;
        int[] tokens = new int[0];
        float[] logprobs = new float[0];
        for (ProtoReader.Field field : ProtoReader.fields(sequence)) {
            switch (field.number()) {
                case 1 -> stopped = field.value() == 0;
                case 2 -> tokens = ProtoReader.ints(field.bytes());
                case 3 -> logprobs = ProtoReader.floats(field.bytes());
                default -> {
                    // Not read here.
                }
            }
        }
        return new SampleResult(tokens, logprobs, stopped, prompt);
    }
}
