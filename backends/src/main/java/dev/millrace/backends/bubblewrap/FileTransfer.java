package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.sandbox.ShellText;
import dev.millrace.backends.sandbox.TarWriter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Files in and out of a sandbox. A few small ones are written by the shell's own {@code printf},
 * which starts no process; more go through {@code tar}.
 */
final class FileTransfer {
    private static final int PRINTF_BYTES = 16 << 10;
    private static final int PRINTF_FILES = 64;

    private FileTransfer() {}

    /**
     * @param script to be run inside
     * @param stream for its standard input
     */
    record Upload(String script, byte[] stream) {}

    static Upload upload(String directory, List<SandboxFile> files) {
        requireAbsolute(directory);
        long bytes = 0;
        for (SandboxFile file : files) {
            requireRelative(file.path());
            bytes += file.content().length;
        }
        String head = "set -e; umask 022\n" + makeFolders(directory, files);
        if (bytes <= PRINTF_BYTES && files.size() <= PRINTF_FILES) {
            return new Upload(head + printed(directory, files), new byte[0]);
        }
        byte[] archive = TarWriter.archive(files);
        // tar would wait for the end of its input, which never comes: head cuts it.
        String script =
                head
                        + "head -c "
                        + archive.length
                        + " | tar -xf - --no-same-owner -C "
                        + ShellText.quote(directory);
        return new Upload(script, archive);
    }

    private static String makeFolders(String directory, List<SandboxFile> files) {
        Set<String> folders = new LinkedHashSet<>(List.of(directory));
        for (SandboxFile file : files) {
            int slash = file.path().lastIndexOf('/');
            if (slash > 0) {
                folders.add(directory + "/" + file.path().substring(0, slash));
            }
        }
        StringBuilder text = new StringBuilder();
        for (String folder : folders) {
            String word = ShellText.quote(folder);
            text.append("[ -d ").append(word).append(" ] || mkdir -p ").append(word).append('\n');
        }
        return text.toString();
    }

    private static String printed(String directory, List<SandboxFile> files) {
        StringBuilder text = new StringBuilder();
        List<String> executable = new ArrayList<>();
        for (SandboxFile file : files) {
            String word = ShellText.quote(directory + "/" + file.path());
            if (file.content().length == 0) {
                text.append(": >").append(word).append('\n');
            } else {
                text.append("printf -- '");
                ShellText.printfFormat(file.content(), text);
                text.append("' >").append(word).append('\n');
            }
            if (file.executable()) {
                executable.add(word);
            }
        }
        if (!executable.isEmpty()) {
            text.append("chmod +x -- ").append(String.join(" ", executable)).append('\n');
        }
        return text.toString();
    }

    /** Prints a tar archive of the regular files; nothing when the folder is none. */
    static String downloadScript(String directory) {
        requireAbsolute(directory);
        String word = ShellText.quote(directory);
        return "if [ -d "
                + word
                + " ] && [ ! -L "
                + word
                + " ]; then exec tar -cf - --format=gnu --hard-dereference --sort=none -C "
                + word
                + " . 2>/dev/null; fi";
    }

    private static void requireAbsolute(String path) {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0 || hasDots(path)) {
            throw new IllegalArgumentException("not an absolute path without '..': " + path);
        }
    }

    private static void requireRelative(String path) {
        if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0 || hasDots(path)) {
            throw new IllegalArgumentException("not a relative path without '..': " + path);
        }
    }

    private static boolean hasDots(String path) {
        return ("/" + path + "/").contains("/../");
    }
}
