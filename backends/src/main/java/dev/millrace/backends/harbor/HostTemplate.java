package dev.millrace.backends.harbor;

import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Replaces {@code ${NAME}} and {@code ${NAME:-default}} by variables of the host. */
final class HostTemplate {
    private static final Pattern VARIABLE =
            Pattern.compile("\\$\\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?}");

    private HostTemplate() {}

    /** The name of a variable that is neither set nor has a default. */
    static Optional<String> missing(String text, Map<String, String> host) {
        return VARIABLE.matcher(text)
                .results()
                .filter(found -> found.group(2) == null && !host.containsKey(found.group(1)))
                .map(found -> found.group(1))
                .findFirst();
    }

    static String resolve(String text, Map<String, String> host) {
        return VARIABLE.matcher(text)
                .replaceAll(
                        found -> {
                            String value = host.get(found.group(1));
                            String fallback = found.group(2) == null ? "" : found.group(2);
                            return Matcher.quoteReplacement(value == null ? fallback : value);
                        });
    }
}
