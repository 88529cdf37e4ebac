package dev.millrace.backends.embedded;

import dev.millrace.backends.port.ObjectStore;
import dev.millrace.backends.port.SamplerException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashMap;

/** Published policies that are in memory; the one that was used longest ago leaves first. */
final class PolicyCache {
    private final int capacity;
    private final ObjectStore files;
    private final LinkedHashMap<String, ServedPolicy> loaded = new LinkedHashMap<>(16, 0.75f, true);

    PolicyCache(int capacity, ObjectStore files) {
        this.capacity = capacity;
        this.files = files;
    }

    /** Finds a policy, reading its file if need be. */
    synchronized ServedPolicy get(String uri) {
        ServedPolicy known = loaded.get(uri);
        if (known != null) {
            return known;
        }
        ServedPolicy read = read(uri);
        loaded.put(uri, read);
        if (loaded.size() > capacity) {
            loaded.remove(loaded.keySet().iterator().next());
        }
        return read;
    }

    private ServedPolicy read(String uri) {
        try {
            return ServedPolicy.of(PolicyFile.decode(files.read(URI.create(uri)), uri).weights());
        } catch (NoSuchFileException e) {
            throw new SamplerException(
                    "version_gone", "There is no policy at " + uri + " any more.");
        } catch (IOException | IllegalArgumentException e) {
            throw new SamplerException(
                    "version_unreadable", "The policy at " + uri + " can't be read: " + e);
        }
    }
}
