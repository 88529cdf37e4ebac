package dev.millrace.backends.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** A tar archive of a root file system, as {@code docker export} or {@code tar} makes it. */
final class TarImage implements ImageSource {
    private final Path file;
    private final String key;

    TarImage(Path file) throws IOException {
        this.file = file;
        key = "tar " + file + " " + Files.size(file) + " " + Files.getLastModifiedTime(file);
    }

    @Override
    public String key() {
        return key;
    }

    @Override
    public ImageConfig config() {
        return ImageConfig.NONE;
    }

    @Override
    public void writeTo(TreeWriter tree) throws IOException {
        try (InputStream archive = Files.newInputStream(file)) {
            TarLayer.writeTo(tree, archive);
        }
        tree.finish();
    }
}
