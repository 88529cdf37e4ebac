package dev.millrace.backends.fake;

import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps content in memory. */
public final class FakeStore implements TrajectoryStore {
    private final Map<String, byte[]> content = new ConcurrentHashMap<>();

    @Override
    public ContentRef put(String prefix, String suffix, byte[] bytes) {
        String digest = digest(bytes);
        String uri = "memory:/" + prefix + "/" + digest + suffix;
        content.put(uri, bytes.clone());
        return new ContentRef(uri, bytes.length, digest);
    }

    @Override
    public byte[] get(ContentRef ref) throws IOException {
        byte[] bytes = content.get(ref.uri());
        if (bytes == null) {
            throw new IOException("nothing is stored at " + ref.uri());
        }
        return bytes.clone();
    }

    private static String digest(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
