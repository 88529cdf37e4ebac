package dev.millrace.backends.image;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Images for several kinds of machines under one name. */
final class Platforms {
    private static final Map<String, String> ARCHITECTURES =
            Map.of("amd64", "amd64", "x86_64", "amd64", "aarch64", "arm64");

    private Platforms() {}

    /**
     * Digest of the manifest for this machine: of those that name a platform its own, else the only
     * one.
     */
    static String choose(JsonNode manifests) throws ImageException {
        String own = ARCHITECTURES.getOrDefault(System.getProperty("os.arch"), "");
        List<String> fit = new ArrayList<>();
        for (JsonNode manifest : manifests) {
            JsonNode platform = manifest.path("platform");
            boolean anywhere = platform.isMissingNode();
            boolean here =
                    platform.path("os").asText().equals("linux")
                            && platform.path("architecture").asText().equals(own);
            if (anywhere || here) {
                fit.add(manifest.path("digest").asText(""));
            }
        }
        if (fit.size() != 1) {
            throw new ImageException(
                    "it holds " + fit.size() + " images for linux/" + own + ", not one");
        }
        return fit.get(0);
    }
}
