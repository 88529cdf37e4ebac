package dev.millrace.backends.harbor;

import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;

/** Which variables of this process tasks may see: only those that the user names. */
public final class HostVariables {
    private HostVariables() {}

    /**
     * The named ones, as far as they are set. What goes into a sandbox can be read by the agent in
     * it.
     *
     * @param environment of this process
     */
    public static Map<String, String> named(
            Collection<String> names, Map<String, String> environment) {
        Map<String, String> found = new TreeMap<>(environment);
        found.keySet().retainAll(names);
        return Map.copyOf(found);
    }
}
