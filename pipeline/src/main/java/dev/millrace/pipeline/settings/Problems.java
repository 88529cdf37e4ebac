package dev.millrace.pipeline.settings;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Collects what is wrong, to be reported together in the order of the text. */
final class Problems {
    private record Placed(Origin origin, Problem problem) {}

    private final List<Placed> found = new ArrayList<>();
    private final Set<String> keys = new HashSet<>();

    void add(Origin origin, String key, String message) {
        found.add(new Placed(origin, new Problem(origin.toString(), key, message)));
        keys.add(key);
    }

    /** Whether something was wrong with that key's own value. */
    boolean has(String key) {
        return keys.contains(key);
    }

    /** Stops when a text as a whole is wrong: its keys can't be judged then. */
    void throwIfUnreadable() throws SettingsException {
        if (has("")) {
            throwIfAny();
        }
    }

    void throwIfAny() throws SettingsException {
        if (!found.isEmpty()) {
            throw new SettingsException(
                    found.stream()
                            .sorted(Comparator.comparing(Placed::origin))
                            .map(Placed::problem)
                            .toList());
        }
    }
}
