package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Carries the file tree of a sandbox to the host: tar inside, tar outside under the tree's id. */
final class LayerArchive {
    private static final Logger LOG = LoggerFactory.getLogger(LayerArchive.class);

    /** Headers and padding that come on top of the content of files. */
    static final long OVERHEAD_BYTES = 16L << 20;

    private static final long UNPACK_MILLIS = 60_000;

    /** What every sandbox gets anew, and would be in its way. */
    private static final List<String> LEFT_OUT =
            List.of(
                    "bin",
                    "sbin",
                    "lib",
                    "lib32",
                    "lib64",
                    "etc/passwd",
                    "etc/group",
                    "opt/bin/python");

    private final Watchdog watchdog;

    LayerArchive(Watchdog watchdog) {
        this.watchdog = watchdog;
    }

    /** Writes a tree as a tar archive. */
    interface Source {
        /**
         * Writes all of it.
         *
         * @return whether it is whole
         */
        boolean writeTo(OutputStream archive) throws IOException;
    }

    /** Most bytes that the archive of a sandbox's tree may have. */
    static long most(SandboxLimits limits) {
        // Files with holes are larger in the archive than on the sandbox's disk.
        return ((long) limits.diskMb() << 20) + OVERHEAD_BYTES;
    }

    /** Prints a sandbox's own tree, without what is mounted in it. */
    static String script() {
        StringBuilder text = new StringBuilder("exec tar -cf - --one-file-system --anchored");
        LEFT_OUT.forEach(path -> text.append(" --exclude=./").append(path));
        return text.append(" -C / . 2>/dev/null").toString();
    }

    /** Unpacks a tree into a folder of its own; leaves nothing when it fails. */
    boolean unpack(Source source, Path folder, int uid) {
        try {
            Files.createDirectories(folder);
            if (uid != 0) {
                Files.setAttribute(folder, "unix:uid", uid);
                Files.setAttribute(folder, "unix:gid", uid);
            }
            if (unpacked(source, folder, uid)) {
                return true;
            }
        } catch (IOException e) {
            LOG.warn("A file tree can't be kept in {}: {}", folder, e.getMessage());
        }
        FileTrees.remove(folder);
        return false;
    }

    private boolean unpacked(Source source, Path folder, int uid) throws IOException {
        List<String> command = new ArrayList<>();
        if (uid != 0) {
            command.addAll(List.of("setpriv", "--no-new-privs", "--clear-groups"));
            command.addAll(List.of("--reuid=" + uid, "--regid=" + uid));
        }
        command.addAll(List.of("tar", "-x", "-p", "--no-same-owner"));
        command.addAll(UpperArchive.MARKS);
        command.addAll(List.of("-f", "-"));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        // The folders above may be closed to that id.
        builder.directory(folder.toFile());
        builder.redirectOutput(ProcessBuilder.Redirect.DISCARD).environment().clear();
        builder.environment().put("PATH", "/usr/bin:/bin:/usr/sbin:/sbin");
        Process tar = builder.start();
        try (Watchdog.Guard guard = watchdog.arm(UNPACK_MILLIS, tar::destroyForcibly)) {
            boolean whole;
            try (OutputStream input = tar.getOutputStream()) {
                whole = source.writeTo(input);
            }
            return tar.waitFor() == 0 && whole;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            tar.destroyForcibly();
        }
    }
}
