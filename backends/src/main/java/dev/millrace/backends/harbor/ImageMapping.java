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
 * Which images stand for those that tasks name: some on this host, where the first pattern that
 * fits a name counts, or those of that name, which the provider of sandboxes gets by itself.
 */
public final class ImageMapping {
    /** How a mapping is written. */
    public static final String SYNTAX = "([^=,\\s]+=/[^=,]+(,\\s*[^=,\\s]+=/[^=,]+)*)?";

    /** No image: the provider's own tool chain stands for all of them. */
    public static final ImageMapping NONE = new ImageMapping(Map.of(), false);

    /** Each stands for itself; the provider gets it where it is missing. */
    public static final ImageMapping AS_NAMED = new ImageMapping(Map.of(), true);

    private static final String ANYTHING = "*";
    private static final Pattern REFERENCE =
            Pattern.compile(
                    "([A-Za-z0-9][A-Za-z0-9.-]*(:[0-9]{1,5})?/)?"
                            + "[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*"
                            + "(:[A-Za-z0-9_][A-Za-z0-9._-]{0,127})?"
                            + "(@sha256:[0-9a-f]{64})?");

    /** What a Dockerfile calls the absence of an image. */
    private static final String SCRATCH = "scratch";

    private final Map<String, Path> places;
    private final boolean asNamed;
    private final Map<String, ImageConfig> configs = new ConcurrentHashMap<>();

    private ImageMapping(Map<String, Path> places, boolean asNamed) {
        this.places = places;
        this.asNamed = asNamed;
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
        return new ImageMapping(places, false);
    }

    /** Whether all sandboxes have one image, whatever tasks name. */
    boolean isEmpty() {
        return places.isEmpty() && !asNamed;
    }

    /** Whether each stands for itself. */
    boolean isAsNamed() {
        return asNamed;
    }

    /** Reference, for the provider, of the image that stands for a name. */
    Optional<String> find(String name) {
        if (asNamed) {
            boolean usable = REFERENCE.matcher(name).matches() && !name.equals(SCRATCH);
            return usable ? Optional.of(name) : Optional.empty();
        }
        return places.entrySet().stream()
                .filter(entry -> fits(entry.getKey(), name))
                .map(entry -> entry.getValue().toString())
                .findFirst();
    }

    /** Whether a task's prebuilt image stands for its whole Dockerfile. */
    boolean isPrebuilt(String name) {
        return asNamed ? !name.isEmpty() : findNamed(name).isPresent();
    }

    /** The same as {@link #find} by patterns that say more than that any name will do. */
    Optional<String> findNamed(String name) {
        boolean named =
                places.keySet().stream()
                        .filter(pattern -> fits(pattern, name))
                        .findFirst()
                        .filter(pattern -> !pattern.equals(ANYTHING))
                        .isPresent();
        return named ? find(name) : Optional.empty();
    }

    /** What an image says about the processes in it; nothing where only the provider has it. */
    ImageConfig config(String reference) throws IOException {
        if (asNamed) {
            return ImageConfig.NONE;
        }
        ImageConfig known = configs.get(reference);
        if (known == null) {
            known = Images.open(Path.of(reference)).config();
            configs.put(reference, known);
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
