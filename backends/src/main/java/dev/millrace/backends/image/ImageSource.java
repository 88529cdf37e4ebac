package dev.millrace.backends.image;

import java.io.IOException;

/** An image that lies on this host. */
public interface ImageSource {

    /** What tells it from others: the same text is the same file tree. */
    String key();

    /** What it says about the processes in it. */
    ImageConfig config();

    /**
     * Puts its file tree together.
     *
     * @throws ImageException when it is damaged, hostile or too large; what was written by then is
     *     of no use
     */
    void writeTo(TreeWriter tree) throws IOException;
}
