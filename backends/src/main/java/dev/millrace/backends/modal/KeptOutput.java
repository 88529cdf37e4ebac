package dev.millrace.backends.modal;

import dev.millrace.backends.sandbox.HeadTailBuffer;
import java.io.ByteArrayOutputStream;

/** What is kept of a stream. */
interface KeptOutput {

    /** The next bytes of it. */
    void accept(byte[] bytes);

    /** Those that were kept, in order. */
    byte[] bytes();

    /** The first half and the last half of a limit. */
    static KeptOutput ends(int limit) {
        HeadTailBuffer buffer = new HeadTailBuffer(limit);
        return new KeptOutput() {
            @Override
            public void accept(byte[] bytes) {
                buffer.accept(bytes, 0, bytes.length);
            }

            @Override
            public byte[] bytes() {
                return buffer.kept();
            }
        };
    }

    /** Everything up to a limit; takes no more room than there are bytes. */
    static KeptOutput beginning(int limit) {
        ByteArrayOutputStream buffer = new ByteArrayOutputStream();
        return new KeptOutput() {
            @Override
            public void accept(byte[] bytes) {
                buffer.write(bytes, 0, Math.min(bytes.length, limit - buffer.size()));
            }

            @Override
            public byte[] bytes() {
                return buffer.toByteArray();
            }
        };
    }
}
