package dev.millrace.backends.harbor;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;

/** Finds the files of tasks, fetching them first where they lie elsewhere. */
@FunctionalInterface
public interface TaskFolders {

    /** The folder of a task on this machine. May block. */
    Path of(URI task) throws IOException;
}
