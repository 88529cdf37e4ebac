package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.sandbox.TarReader;
import dev.millrace.backends.sandbox.TarWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Files in and out of a sandbox, as archives that its own {@code tar} packs and unpacks. */
final class SandboxFiles {
    /** Headers and padding that come on top of the content of files. */
    private static final long OVERHEAD_BYTES = 16L << 20;

    private static final int MOST_WORD_BYTES = 40_000;
    private static final int END_BYTES = 1_024;

    private final RootCommands root;
    private final ModalSettings settings;

    SandboxFiles(RootCommands root, ModalSettings settings) {
        this.root = root;
        this.settings = settings;
    }

    /** Writes files and the folders that are missing; those there are keep owner and mode. */
    void put(String directory, List<SandboxFile> files) throws SandboxException {
        requireSafe(directory, true);
        String prefix = directory.replaceAll("^/+|/+$", "");
        Set<String> folders = new LinkedHashSet<>();
        addFolders(prefix, folders);
        TarWriter tar =
                new TarWriter(Integer.parseInt(settings.uid()), Integer.parseInt(settings.gid()));
        for (SandboxFile file : files) {
            requireSafe(file.path(), false);
            String path = prefix.isEmpty() ? file.path() : prefix + "/" + file.path();
            addFolders(parent(path), folders);
            tar.file(path, file);
        }
        makeFolders(folders, directory);
        if (!files.isEmpty()) {
            byte[] archive = tar.end();
            require(root.run(Scripts.unpack(), archive, 0, timeout()), directory);
        }
    }

    private long timeout() {
        return settings.times().requestMillis();
    }

    private void makeFolders(Set<String> folders, String directory) throws SandboxException {
        List<String> some = new ArrayList<>();
        int bytes = 0;
        for (String folder : folders) {
            int length = folder.getBytes(StandardCharsets.UTF_8).length + 1;
            if (bytes + length > MOST_WORD_BYTES) {
                require(root.run(Scripts.folders(settings, some), timeout()), directory);
                some.clear();
                bytes = 0;
            }
            some.add("/" + folder);
            bytes += length;
        }
        if (!some.isEmpty()) {
            require(root.run(Scripts.folders(settings, some), timeout()), directory);
        }
    }

    private static void require(RootCommands.Done done, String directory) throws SandboxException {
        if (done.exitCode() != 0) {
            throw new SandboxException(
                    Kind.QUOTA, "writing files to " + directory + ": " + done.report());
        }
    }

    /** With all above it, those first. */
    private static void addFolders(String folder, Set<String> into) {
        if (!folder.isEmpty() && !into.contains(folder)) {
            addFolders(parent(folder), into);
            into.add(folder);
        }
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    /** The regular files below a folder that is no link; none when there is no such folder. */
    List<SandboxFile> get(String directory, long maxBytes) throws SandboxException {
        requireSafe(directory, true);
        int most = (int) Math.min(Integer.MAX_VALUE - 16_384, maxBytes + OVERHEAD_BYTES);
        RootCommands.Done done =
                root.run(Scripts.pack(directory, most + 1L), new byte[0], most, timeout());
        if (done.report().equals("absent")) {
            return List.of();
        }
        if (done.total() > most) {
            String message = "files of " + directory + " exceed " + maxBytes + " bytes";
            throw new SandboxException(Kind.QUOTA, true, message, null);
        }
        // A file that changes while it is read makes the code 1.
        if (!done.report().matches("packed [01]") || !isWhole(done.output())) {
            throw new SandboxException(
                    Kind.UNREACHABLE, "reading files of " + directory + ": " + done.report());
        }
        return TarReader.read(done.output(), maxBytes, "");
    }

    private static boolean isWhole(byte[] tar) {
        int zeros = 0;
        while (zeros < END_BYTES && zeros < tar.length && tar[tar.length - 1 - zeros] == 0) {
            zeros++;
        }
        return zeros == END_BYTES;
    }

    private static void requireSafe(String path, boolean absolute) {
        boolean dots = ("/" + path + "/").contains("/../");
        if (path.isEmpty() || path.startsWith("/") != absolute || path.indexOf(0) >= 0 || dots) {
            throw new IllegalArgumentException(
                    "not "
                            + (absolute ? "an absolute" : "a relative")
                            + " path without '..': "
                            + path);
        }
    }
}
