package dev.millrace.backends.store;

import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.FileAlreadyExistsException;
import java.util.OptionalLong;

/** A store below a URI, of files that an {@link ObjectStore} keeps. */
public final class ObjectTrajectoryStore implements TrajectoryStore {
    private final ObjectStore objects;
    private final String root;

    /** Keeps everything below {@code root}. */
    public ObjectTrajectoryStore(ObjectStore objects, URI root) {
        this.objects = objects;
        String normal = root.normalize().toString();
        this.root = normal.endsWith("/") ? normal : normal + "/";
    }

    @Override
    public ContentRef put(String prefix, String suffix, byte[] content) throws IOException {
        if (suffix.contains("/")) {
            throw new IllegalArgumentException("not the end of a file name: " + suffix);
        }
        String digest = Sha256.of(content);
        URI file = inside(root + prefix + "/" + digest + suffix);
        OptionalLong there = objects.length(file);
        if (there.isEmpty()) {
            create(file, content);
        } else if (there.getAsLong() != content.length) {
            throw new IOException(
                    file + " has " + there.getAsLong() + " bytes instead of " + content.length);
        }
        return new ContentRef(file.toString(), content.length, digest);
    }

    @Override
    public byte[] get(ContentRef ref) throws IOException {
        byte[] content = objects.read(inside(ref.uri()));
        if (content.length != ref.bytes()) {
            throw new IOException(
                    ref.uri() + " has " + content.length + " bytes instead of " + ref.bytes());
        }
        if (!Sha256.of(content).equals(ref.sha256())) {
            throw new IOException(ref.uri() + " has other bytes than its digest says");
        }
        return content;
    }

    private void create(URI file, byte[] content) throws IOException {
        try {
            objects.create(file, content);
        } catch (FileAlreadyExistsException sameContent) {
            // Someone was quicker: the name says that it is the same.
            return;
        }
    }

    private URI inside(String uri) {
        URI normal = URI.create(uri).normalize();
        if (!normal.toString().startsWith(root)) {
            throw new IllegalArgumentException("'" + uri + "' is not inside '" + root + "'");
        }
        return normal;
    }
}
