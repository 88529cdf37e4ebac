package dev.millrace.backends.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;

/**
 * Fetches an image of a registry into an OCI image layout, without a daemon. What is there already
 * isn't fetched again, so a pull that was broken off goes on where it ended.
 */
public final class RegistryPull {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String MANIFESTS =
            "application/vnd.oci.image.index.v1+json, application/vnd.oci.image.manifest.v1+json,"
                    + " application/vnd.docker.distribution.manifest.list.v2+json,"
                    + " application/vnd.docker.distribution.manifest.v2+json";
    private static final int LONGEST_MANIFEST = 8 << 20;
    private static final int MOST_NESTED = 4;

    private final RegistryReference image;
    private final RegistryClient client;
    private final long mostBytes;

    /**
     * @param mostBytes of all layers as they are sent
     */
    public RegistryPull(RegistryReference image, RegistryAccess access, long mostBytes) {
        this.image = image;
        this.client = new RegistryClient(image, access);
        this.mostBytes = mostBytes;
    }

    /**
     * Fetches it for this machine's platform.
     *
     * @return digest of its manifest
     * @throws SandboxException of kind RATE_LIMITED or UNREACHABLE when it is worth trying again,
     *     IMAGE when the image is not to be had, damaged or too large
     */
    public String into(Path layout) throws SandboxException {
        try {
            Files.createDirectories(layout.resolve("blobs/sha256"));
            byte[] manifest = manifest();
            String digest = Digests.of(manifest);
            for (JsonNode blob : blobs(JSON.readTree(manifest))) {
                fetch(layout, blob.path("digest").asText(), blob.path("size").asLong());
            }
            Files.write(layout.resolve(Digests.path(digest)), manifest);
            describe(layout, digest, manifest.length);
            return digest;
        } catch (ImageException e) {
            throw new SandboxException(Kind.IMAGE, false, image + ": " + e.getMessage(), e);
        } catch (IOException e) {
            throw new SandboxException(Kind.UNREACHABLE, false, image + ": " + e, e);
        }
    }

    private byte[] manifest() throws IOException, SandboxException {
        byte[] document = document(image.version(), image.pinned());
        JsonNode node = JSON.readTree(document);
        for (int depth = 0; node.has("manifests"); depth++) {
            if (depth == MOST_NESTED) {
                throw new ImageException("its indexes refer to each other");
            }
            document = document(Platforms.choose(node.path("manifests")), true);
            node = JSON.readTree(document);
        }
        return document;
    }

    private byte[] document(String version, boolean pinned) throws IOException, SandboxException {
        try (InputStream body = client.get("/manifests/" + version, MANIFESTS)) {
            byte[] bytes = body.readNBytes(LONGEST_MANIFEST);
            if (pinned && !Digests.of(bytes).equals(version)) {
                throw new ImageException("content of " + version + " is damaged");
            }
            return bytes;
        }
    }

    private List<JsonNode> blobs(JsonNode manifest) throws ImageException {
        List<JsonNode> blobs = new ArrayList<>(List.of(manifest.path("config")));
        manifest.path("layers").forEach(blobs::add);
        long bytes = 0;
        for (JsonNode blob : blobs) {
            long size = blob.path("size").asLong(-1);
            bytes += size;
            if (size < 0 || bytes > mostBytes) {
                throw new ImageException("its layers have more than " + mostBytes + " bytes");
            }
        }
        if (blobs.size() == 1) {
            throw new ImageException("it has no layers");
        }
        return blobs;
    }

    private void fetch(Path layout, String digest, long size) throws IOException, SandboxException {
        Path file = layout.resolve(Digests.path(digest));
        if (Files.exists(file)) {
            return;
        }
        Path part = Files.createTempFile(layout, "part", "");
        try (InputStream body = client.get("/blobs/" + digest, "*/*");
                InputStream content = Digests.verified(body, digest)) {
            write(content, part, size);
            Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
    }

    /** Reads to the end, where the digest is checked, and no further than it has to be. */
    private static void write(InputStream content, Path part, long size) throws IOException {
        try (OutputStream out = Files.newOutputStream(part)) {
            byte[] buffer = new byte[64 << 10];
            long bytes = 0;
            int read;
            while ((read = content.read(buffer)) >= 0) {
                bytes += read;
                if (bytes > size) {
                    throw new ImageException("a layer is larger than its description says");
                }
                out.write(buffer, 0, read);
            }
        }
    }

    private static void describe(Path layout, String digest, int size) throws IOException {
        ObjectNode index = JSON.createObjectNode().put("schemaVersion", 2);
        index.putArray("manifests").addObject().put("digest", digest).put("size", size);
        Files.write(layout.resolve("index.json"), JSON.writeValueAsBytes(index));
        ObjectNode version = JSON.createObjectNode().put("imageLayoutVersion", "1.0.0");
        Files.write(layout.resolve("oci-layout"), JSON.writeValueAsBytes(version));
    }
}
