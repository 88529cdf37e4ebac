package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;

/** What {@code --output} names: a folder of a disk, or one in a bucket. */
public final class OutputUri {
    private OutputUri() {}

    /**
     * The folder of a run.
     *
     * @param output path, {@code file:} URI or URI of another file system, for instance {@code
     *     s3a://bucket/run}
     * @throws BadInputException when it is none
     */
    public static RunFolder folder(String output) {
        if (!output.matches("[A-Za-z][A-Za-z0-9+.-]*:.*")) {
            return new RunFolder(Path.of(output));
        }
        try {
            URI uri = URI.create(output);
            if ("file".equals(uri.getScheme())) {
                return new RunFolder(Path.of(uri));
            }
            if (uri.getHost() == null || uri.getPath() == null || uri.getPath().length() < 2) {
                throw new BadInputException(
                        "--output " + output + " must name a folder in a bucket: s3a://bucket/run");
            }
            String shared = output.endsWith("/") ? output.replaceFirst("/+$", "") : output;
            return new RunFolder(RemoteFiles.workFolder(), shared);
        } catch (IllegalArgumentException e) {
            throw new BadInputException("--output " + output + ": " + e.getMessage());
        } catch (IOException e) {
            throw new UncheckedIOException("No temporary folder can be made", e);
        }
    }
}
