package dev.millrace.backends.port;

import java.io.IOException;
import java.io.Serializable;
import java.net.URI;
import java.util.OptionalLong;

/**
 * Files by URI, on a disk or in a bucket: each appears whole or not at all, and is never written
 * again. May block. Thread-safe.
 */
public interface ObjectStore extends Serializable {

    /**
     * Writes a file; returns when it is durable.
     *
     * @throws java.nio.file.FileAlreadyExistsException when there is one of that name
     */
    void create(URI file, byte[] content) throws IOException;

    /**
     * Reads a file.
     *
     * @throws java.nio.file.NoSuchFileException when there is none
     */
    byte[] read(URI file) throws IOException;

    /** How long a file is, in bytes; empty when there is none. */
    OptionalLong length(URI file) throws IOException;
}
