package dev.millrace.backends.harbor;

import dev.millrace.backends.image.ImageConfig;
import dev.millrace.backends.image.Images;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Which images on this host stand for those that tasks name. The first pattern that fits a name
 * counts.
 */
public final class ImageMapping {
    /** How a mapping is written. */
    public static final String SYNTAX = "([^=,\\s]+=/[^=,]+(,\\s*[^=,\\s]+=/[^=,]+)*)?";

    /** No image: the provider's own tool chain stands for all of them. */
    public static final ImageMapping NONE = new ImageMapping(Map.of());

    private static final String ANYTHING = "*";

    private final Map<String, Path> places;
    private final Map<Path, ImageConfig> configs = new ConcurrentHashMap<>();

    private ImageMapping(Map<String, Path> places) {
        this.places = places;
    }

    /**
     * Reads a mapping.
     *
     * @param text {@code PATTERN=/PATH} separated by commas; in a pattern {@code *} stands for any
     *     characters
     * @throws IllegalArgumentException for a text that isn't of the form {@link #SYNTAX}
     */
    public static ImageMapping parse(String text) {
        if (!text.matches(SYNTAX)) {
            throw new IllegalArgumentException("not PATTERN=/PATH separated by commas: " + text);
        }
        Map<String, Path> places = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                places.putIfAbsent(
                        pair.substring(0, equals).strip(),
                        Path.of(pair.substring(equals + 1).strip()));
            }
        }
        return new ImageMapping(places);
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    /** Where the image lies that stands for a name. */
    Optional<Path> find(String name) {
        return places.entrySet().stream()
                .filter(entry -> fits(entry.getKey(), name))
                .map(Map.Entry::getValue)
                .findFirst();
    }

    /** The same by patterns that say more than that any name will do. */
    Optional<Path> findNamed(String name) {
        boolean named =
                places.keySet().stream()
                        .filter(pattern -> fits(pattern, name))
                        .findFirst()
                        .filter(pattern -> !pattern.equals(ANYTHING))
                        .isPresent();
        return named ? find(name) : Optional.empty();
    }

    /** What an image says about the processes in it. */
    ImageConfig config(Path place) throws IOException {
        ImageConfig known = configs.get(place);
        if (known == null) {
            known = Images.open(place).config();
            configs.put(place, known);
        }
        return known;
    }

    private static boolean fits(String pattern, String name) {
        String expression =
                Stream.of(pattern.split("\\*", -1))
                        .map(Pattern::quote)
                        .collect(Collectors.joining(".*"));
        return name.matches(expression);
    }
}
