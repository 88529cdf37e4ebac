package dev.millrace.backends.store;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Log-probabilities as they lie in a store: little-endian 32-bit floats, nothing else. */
public final class LogprobsCodec {
    /** End of their names. */
    public static final String SUFFIX = ".logprobs.f32";

    private LogprobsCodec() {}

    /** The bytes of some numbers. */
    public static byte[] encode(float[] logprobs) {
        ByteBuffer bytes = ByteBuffer.allocate(Float.BYTES * logprobs.length);
        bytes.order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().put(logprobs);
        return bytes.array();
    }

    /**
     * The numbers in some bytes.
     *
     * @throws IOException when the length fits no floats
     */
    public static float[] decode(byte[] bytes) throws IOException {
        if (bytes.length % Float.BYTES != 0) {
            throw new IOException("Not 32-bit floats: " + bytes.length + " bytes");
        }
        float[] logprobs = new float[bytes.length / Float.BYTES];
        ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN).asFloatBuffer().get(logprobs);
        return logprobs;
    }
}
