package dev.millrace.operators;

import java.io.IOException;
import java.io.InputStream;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import org.apache.flink.runtime.checkpoint.OperatorSubtaskState;
import org.apache.flink.streaming.util.OperatorSnapshotUtil;

/**
 * Files that the first version that landed has written. They are read for ever, never rewritten.
 */
public final class Golden {
    private Golden() {}

    /** State of an operator. */
    public static OperatorSubtaskState state(String name)
            throws IOException, ClassNotFoundException {
        return OperatorSnapshotUtil.readStateHandle(path("state/" + name).toString());
    }

    public static byte[] bytes(String name) throws IOException {
        try (InputStream file = url(name).openStream()) {
            return file.readAllBytes();
        }
    }

    private static Path path(String name) {
        try {
            return Path.of(url(name).toURI());
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    private static URL url(String name) {
        URL url = Golden.class.getResource("/golden/" + name);
        if (url == null) {
            throw new IllegalStateException("There is no golden file " + name);
        }
        return url;
    }
}
