package dev.millrace.backends.image;

import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a registry says that a token is to be had.
 *
 * @param realm address of who gives tokens
 * @param service what to ask it for; may be empty
 * @param scope what the token is to allow; may be empty
 */
record RegistryChallenge(URI realm, String service, String scope) {
    private static final Pattern PARAMETER = Pattern.compile("([a-z]+)=\"([^\"]*)\"");
    private static final String BEARER = "bearer ";

    /** Reads the header {@code WWW-Authenticate}; empty for other kinds of authentication. */
    static Optional<RegistryChallenge> parse(String header) {
        if (!header.toLowerCase(Locale.ROOT).startsWith(BEARER)) {
            return Optional.empty();
        }
        Map<String, String> parameters = new HashMap<>();
        Matcher found = PARAMETER.matcher(header);
        while (found.find()) {
            parameters.put(found.group(1), found.group(2));
        }
        try {
            URI realm = URI.create(parameters.getOrDefault("realm", ""));
            return realm.isAbsolute()
                    ? Optional.of(
                            new RegistryChallenge(
                                    realm,
                                    parameters.getOrDefault("service", ""),
                                    parameters.getOrDefault("scope", "")))
                    : Optional.empty();
        } catch (IllegalArgumentException noAddress) {
            return Optional.empty();
        }
    }

    /** What to ask for a token that lets the image be read. */
    URI request(String image) {
        String wanted = scope.isEmpty() ? "repository:" + image + ":pull" : scope;
        String separator = realm.getRawQuery() == null ? "?" : "&";
        String query = "service=" + encoded(service) + "&scope=" + encoded(wanted);
        return URI.create(realm + separator + query);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8);
    }
}
