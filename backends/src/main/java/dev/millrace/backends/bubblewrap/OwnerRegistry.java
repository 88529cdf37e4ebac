package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.OwnerStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where each provider of this host says, in a file named by its stamp, where its folder lies and
 * which runs it has worked for: what is left of one that was killed can then be found and told
 * apart. Lines {@code scratch=PATH} and {@code owner=RUN}.
 */
final class OwnerRegistry {
    private static final Logger LOG = LoggerFactory.getLogger(OwnerRegistry.class);
    private static final String SCRATCH = "scratch=";
    private static final String OWNER = "owner=";

    private final Path folder;
    private final Set<String> noted = new HashSet<>();

    OwnerRegistry(Path folder) {
        this.folder = folder;
    }

    /** The one that all processes of this user share: others could neither write nor end them. */
    static OwnerRegistry ofHost() {
        return new OwnerRegistry(Path.of(System.getProperty("java.io.tmpdir"), name(uid())));
    }

    /** Name of a user's folder. */
    static String name(int uid) {
        return uid == 0 ? "millrace-owners" : "millrace-owners-" + uid;
    }

    private static int uid() {
        try {
            return (int) Files.getAttribute(Path.of("/proc/self"), "unix:uid");
        } catch (IOException | UnsupportedOperationException notLinux) {
            // Without it there are no sandboxes either, which their probe says.
            return 0;
        }
    }

    /** What a provider said. */
    record Entry(String stamp, List<Path> scratch, Set<String> owners) {}

    void scratch(String stamp, Path scratch) throws IOException {
        Files.createDirectories(folder);
        append(stamp, SCRATCH + scratch.toAbsolutePath());
    }

    /** Notes the run that a lease's owner label begins with. Without effect when that fails. */
    synchronized void owner(String stamp, String label) {
        int slash = label.indexOf('/');
        String run = slash < 0 ? label : label.substring(0, slash);
        if (!noted.add(run)) {
            return;
        }
        try {
            append(stamp, OWNER + run);
        } catch (IOException e) {
            LOG.warn("The owner of sandboxes could not be noted", e);
        }
    }

    void forget(String stamp) {
        try {
            Files.deleteIfExists(folder.resolve(stamp));
        } catch (IOException e) {
            LOG.warn("What a sandbox provider noted could not be removed", e);
        }
    }

    List<Entry> entries() {
        String[] names = folder.toFile().list();
        List<Entry> entries = new ArrayList<>();
        for (String name : names == null ? new String[0] : names) {
            if (OwnerStamp.isOurs(name)) {
                entries.add(read(name));
            }
        }
        return entries;
    }

    private Entry read(String stamp) {
        List<Path> scratch = new ArrayList<>();
        Set<String> owners = new HashSet<>();
        try {
            for (String line : Files.readAllLines(folder.resolve(stamp), StandardCharsets.UTF_8)) {
                if (line.startsWith(SCRATCH)) {
                    scratch.add(Path.of(line.substring(SCRATCH.length())));
                } else if (line.startsWith(OWNER)) {
                    owners.add(line.substring(OWNER.length()));
                }
            }
        } catch (IOException gone) {
            LOG.debug("Removed meanwhile stamp={}", stamp);
        }
        return new Entry(stamp, scratch, owners);
    }

    private void append(String stamp, String line) throws IOException {
        Files.writeString(
                folder.resolve(stamp),
                line + "\n",
                StandardCharsets.UTF_8,
                StandardOpenOption.CREATE,
                StandardOpenOption.APPEND);
    }
}
