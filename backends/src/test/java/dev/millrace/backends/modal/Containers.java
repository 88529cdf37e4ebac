package dev.millrace.backends.modal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.opentest4j.TestAbortedException;

/** What the stand-in server needs to run commands. */
final class Containers {
    private Containers() {}

    /** Ends the test as skipped, with the reason, where no container can be made. */
    static void require() throws IOException {
        boolean root = Files.getOwner(Path.of("/proc/self")).getName().equals("root");
        boolean tools = Files.isExecutable(Path.of("/usr/bin/bwrap"));
        if (!root || !tools) {
            throw new TestAbortedException(
                    "skipped: modal: the stand-in server's containers need root and bubblewrap");
        }
    }
}
