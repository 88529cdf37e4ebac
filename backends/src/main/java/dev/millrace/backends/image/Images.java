package dev.millrace.backends.image;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds out what kind of image lies at a path. */
public final class Images {
    private static final int START_BYTES = 4;

    private Images() {}

    /**
     * Opens an image: a folder with a root file system or an OCI image layout, a tar archive of
     * either, or an archive by {@code docker save}.
     *
     * @throws ImageException when there is none, or its description is damaged
     */
    public static ImageSource open(Path place) throws IOException {
        try {
            if (Files.isDirectory(place)) {
                return Files.isRegularFile(place.resolve("oci-layout"))
                        ? LayeredImage.open(place)
                        : new FolderImage(place.toRealPath());
            }
            if (!Files.isRegularFile(place)) {
                throw new ImageException("there is no such folder or file");
            }
            return isLayered(place) ? LayeredImage.open(place) : new TarImage(place.toRealPath());
        } catch (IOException e) {
            ImageException named = new ImageException("image " + place + ": " + e.getMessage());
            named.initCause(e);
            throw named;
        }
    }

    private static boolean isLayered(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            if (TarLayer.isCompressed(in.readNBytes(START_BYTES))) {
                return false;
            }
        }
        try (Blobs blobs = Blobs.of(file)) {
            return blobs.has("index.json") || blobs.has("manifest.json");
        }
    }
}
