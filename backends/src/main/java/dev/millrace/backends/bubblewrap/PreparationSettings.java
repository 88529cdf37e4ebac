package dev.millrace.backends.bubblewrap;

import java.util.List;
import java.util.Map;

/**
 * What commands get that make an environment on an image, and those of agents and verifiers don't.
 *
 * @param network whether they have the host's network
 * @param variables more variables for them, such as an index of packages
 * @param files absolute paths of files and folders of the host that they see at the same place,
 *     read-only
 */
public record PreparationSettings(
        boolean network, Map<String, String> variables, List<String> files) {

    /** Nothing. */
    public static final PreparationSettings NONE =
            new PreparationSettings(false, Map.of(), List.of());
}
