package dev.millrace.backends.image;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An image in a registry.
 *
 * @param host of the registry, maybe with a port
 * @param name of the image there
 * @param version a tag, or a digest
 */
public record RegistryReference(String host, String name, String version) {
    private static final Pattern SYNTAX =
            Pattern.compile(
                    "(?<host>[A-Za-z0-9.-]+(:[0-9]{1,5})?)/"
                            + "(?<name>[a-z0-9]+([._-]+[a-z0-9]+)*(/[a-z0-9]+([._-]+[a-z0-9]+)*)*)"
                            + "(:(?<tag>[A-Za-z0-9_][A-Za-z0-9._-]{0,127}))?"
                            + "(@(?<digest>sha256:[0-9a-f]{64}))?");

    /**
     * Reads {@code HOST[:PORT]/NAME[:TAG][@DIGEST]}; a digest has the last word, without either it
     * is the tag {@code latest}.
     *
     * @throws ImageException when it is none; a host is never made up
     */
    public static RegistryReference parse(String text) throws ImageException {
        Matcher found = SYNTAX.matcher(text);
        if (!found.matches() || !isHost(found.group("host"))) {
            throw new ImageException(
                    "'"
                            + text
                            + "' is no image in a registry: write HOST/NAME:TAG, with the"
                            + " registry's host");
        }
        String tag = found.group("tag") == null ? "latest" : found.group("tag");
        String digest = found.group("digest");
        return new RegistryReference(
                found.group("host"), found.group("name"), digest == null ? tag : digest);
    }

    /** Whether it can't be taken for the first part of a name. */
    private static boolean isHost(String host) {
        return host.contains(".") || host.contains(":") || host.equals("localhost");
    }

    /** Whether the version names the content. */
    boolean pinned() {
        return version.startsWith("sha256:");
    }

    @Override
    public String toString() {
        return host + "/" + name + (pinned() ? "@" : ":") + version;
    }
}
