package dev.millrace.backends.image;

import dev.millrace.backends.image.TreeEntry.Kind;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Makes an image's tree fit for sandboxes that know a single user. Debian's package manager changes
 * to a user of its own for downloads, and makes sure that it has; it is told not to.
 */
public final class SingleUser {
    private static final String APT = "etc/apt/apt.conf.d";
    private static final String FILE = APT + "/zz-single-user";
    private static final byte[] TEXT =
            "APT::Sandbox::User \"root\";\n".getBytes(StandardCharsets.UTF_8);

    private SingleUser() {}

    /** Adapts a tree that has been written. */
    public static void adapt(Path root, TreeWriter tree) throws IOException {
        if (Files.isDirectory(root.resolve(APT))) {
            TreeEntry entry = new TreeEntry(FILE, Kind.FILE, 0644, 0, "", TEXT.length);
            tree.put(entry, new ByteArrayInputStream(TEXT));
        }
    }
}
