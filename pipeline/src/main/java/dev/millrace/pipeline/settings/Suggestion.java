package dev.millrace.pipeline.settings;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/** Finds what somebody meant. */
final class Suggestion {
    private Suggestion() {}

    /**
     * The known key nearest to an unknown one: of the same section first, then one of the same name
     * in another section.
     */
    static Optional<String> forKey(String unknown, SettingsSchema schema) {
        Collection<String> names =
                Stream.concat(
                                schema.keys().stream().map(SettingKey::path),
                                schema.sections().stream())
                        .toList();
        String section = section(unknown);
        return nearest(name(unknown), names.stream().filter(k -> section(k).equals(section)))
                .or(() -> nearest(name(unknown), names.stream()));
    }

    private static Optional<String> nearest(String name, Stream<String> candidates) {
        int limit = Math.max(1, name.length() / 3);
        return candidates
                .filter(candidate -> distance(name, name(candidate)) <= limit)
                .min(Comparator.comparingInt(candidate -> distance(name, name(candidate))));
    }

    private static String section(String key) {
        int dot = key.lastIndexOf('.');
        return dot < 0 ? "" : key.substring(0, dot);
    }

    private static String name(String key) {
        return key.substring(key.lastIndexOf('.') + 1);
    }

    /** Levenshtein distance, regardless of case and of hyphens and underscores. */
    static int distance(String left, String right) {
        String a = plain(left);
        String b = plain(right);
        int[] row = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int change = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(change, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[b.length()];
    }

    private static String plain(String text) {
        return text.toLowerCase(Locale.ROOT).replace("_", "").replace("-", "");
    }
}
