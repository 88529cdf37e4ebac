package dev.millrace.backends.port;

import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;

/**
 * Keeps bytes under names made of their content: written once, never overwritten. May block.
 * Thread-safe.
 */
public interface TrajectoryStore {

    /**
     * Stores bytes and returns where they are once they are durable. Storing the same again changes
     * nothing.
     *
     * @param prefix folder, for instance run, group and attempt
     * @param suffix end of the name, for instance {@code .json.gz}
     */
    ContentRef put(String prefix, String suffix, byte[] content) throws IOException;

    /**
     * Reads bytes back.
     *
     * @throws IOException when they are not there or their digest differs
     */
    byte[] get(ContentRef ref) throws IOException;
}
