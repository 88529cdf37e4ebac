package dev.millrace.backends.image;

import java.io.IOException;

/** An image that can't be used; the message says which and why. */
public final class ImageException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Says what is wrong with it. */
    public ImageException(String message) {
        super(message);
    }
}
