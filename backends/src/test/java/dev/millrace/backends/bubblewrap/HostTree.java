package dev.millrace.backends.bubblewrap;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A small root file system made of programs of this host and the libraries that they need. */
final class HostTree {
    private static final Pattern LIBRARY = Pattern.compile("(/\\S+) \\(0x");
    private static final List<String> PROGRAMS =
            List.of(
                    "bash", "cat", "chown", "chmod", "env", "head", "id", "ls", "mkdir", "mv", "rm",
                    "setsid", "sh", "stat", "tar", "touch");

    private HostTree() {}

    /** Makes one in a folder, with a user {@code app} (1234) and {@code /usr} for programs. */
    static Path make(Path root) throws IOException, InterruptedException {
        for (String folder : List.of("usr/bin", "etc", "root", "tmp", "home/app", "usr/share")) {
            Files.createDirectories(root.resolve(folder));
        }
        Files.createSymbolicLink(root.resolve("bin"), Path.of("usr/bin"));
        for (String program : PROGRAMS) {
            Path host = Path.of("/usr/bin", program).toRealPath();
            copy(host, root.resolve("usr/bin").resolve(program));
            libraries(host, root);
        }
        Files.writeString(root.resolve("usr/share/mark"), "of the image\n");
        Files.writeString(root.resolve("usr/share/gone"), "of the image\n");
        String users = "root:x:0:0::/root:/bin/sh\napp:x:1234:1234::/home/app:/bin/sh\n";
        Files.writeString(root.resolve("etc/passwd"), users);
        return root;
    }

    private static void libraries(Path program, Path root)
            throws IOException, InterruptedException {
        Process ldd = new ProcessBuilder("ldd", program.toString()).start();
        String text = new String(ldd.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        ldd.waitFor();
        Matcher library = LIBRARY.matcher(text);
        while (library.find()) {
            Path path = Path.of(library.group(1));
            copy(path.toRealPath(), root.resolve(path.toString().substring(1)));
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectories(to.getParent());
        Files.copy(
                from, to, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.COPY_ATTRIBUTES);
    }
}
