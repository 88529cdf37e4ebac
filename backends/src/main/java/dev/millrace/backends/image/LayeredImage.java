package dev.millrace.backends.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An image in layers: an OCI image layout, or what {@code docker save} writes. */
final class LayeredImage implements ImageSource {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_JSON = 8 << 20;
    private static final int MOST_NESTED = 4;

    private final Path place;
    private final Content content;

    private LayeredImage(Path place, Content content) {
        this.place = place;
        this.content = content;
    }

    /**
     * What makes it up.
     *
     * @param key names the content
     * @param layers from the lowest; digests of an OCI layout, else paths
     * @param digests whether content is named by digests
     */
    private record Content(String key, ImageConfig config, List<String> layers, boolean digests) {}

    /** Reads what an image is made of. */
    static LayeredImage open(Path place) throws IOException {
        try (Blobs blobs = Blobs.of(place)) {
            if (blobs.has("index.json")) {
                return new LayeredImage(place, oci(blobs));
            }
            return new LayeredImage(place, docker(blobs, place));
        }
    }

    private static Content oci(Blobs blobs) throws IOException {
        JsonNode node = json(blobs, "index.json", "");
        String digest = "";
        for (int depth = 0; node.has("manifests"); depth++) {
            if (depth == MOST_NESTED) {
                throw new ImageException("its indexes refer to each other");
            }
            digest = Platforms.choose(node.path("manifests"));
            node = json(blobs, Digests.path(digest), digest);
        }
        String config = node.path("config").path("digest").asText("");
        List<String> layers = new ArrayList<>();
        node.path("layers").forEach(layer -> layers.add(layer.path("digest").asText("")));
        if (layers.isEmpty()) {
            throw new ImageException("it has no layers");
        }
        ImageConfig read = ImageConfig.of(json(blobs, Digests.path(config), config));
        return new Content(digest, read, List.copyOf(layers), true);
    }

    private static Content docker(Blobs blobs, Path place) throws IOException {
        JsonNode manifest = json(blobs, "manifest.json", "");
        if (manifest.size() != 1) {
            throw new ImageException("it holds " + manifest.size() + " images, not one");
        }
        JsonNode only = manifest.get(0);
        String config = only.path("Config").asText("");
        List<String> layers = new ArrayList<>();
        only.path("Layers").forEach(layer -> layers.add(layer.asText()));
        ImageConfig read = ImageConfig.of(json(blobs, config, ""));
        return new Content(place + " " + config, read, List.copyOf(layers), false);
    }

    private static JsonNode json(Blobs blobs, String path, String digest) throws IOException {
        try (InputStream found = find(blobs, path);
                InputStream in = digest.isEmpty() ? found : Digests.verified(found, digest)) {
            byte[] bytes = in.readNBytes(LONGEST_JSON);
            if (bytes.length == LONGEST_JSON) {
                throw new ImageException(path + " is too long");
            }
            return JSON.readTree(bytes);
        }
    }

    private static InputStream find(Blobs blobs, String path) throws IOException {
        return blobs.open(path).orElseThrow(() -> new ImageException("it lacks " + path));
    }

    @Override
    public String key() {
        return content.key();
    }

    @Override
    public ImageConfig config() {
        return content.config();
    }

    @Override
    public void writeTo(TreeWriter tree) throws IOException {
        try (Blobs blobs = Blobs.of(place)) {
            for (String layer : content.layers()) {
                try (InputStream in = layer(blobs, layer)) {
                    TarLayer.writeTo(tree, in);
                }
            }
        }
        tree.finish();
    }

    private InputStream layer(Blobs blobs, String name) throws IOException {
        return content.digests()
                ? Digests.verified(find(blobs, Digests.path(name)), name)
                : find(blobs, name);
    }
}
