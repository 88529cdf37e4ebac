package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxLimits;
import java.util.List;
import java.util.Map;

/**
 * What commands get that make an environment on an image, and those of agents and verifiers don't.
 *
 * @param network whether they have the host's network
 * @param variables more variables for them, such as an index of packages
 * @param files absolute paths of files and folders of the host that they see at the same place,
 *     read-only
 * @param limits resources of a sandbox that such commands run in
 */
public record PreparationGrant(
        boolean network, Map<String, String> variables, List<String> files, SandboxLimits limits) {

    /** Nothing but room. */
    public static final PreparationGrant NONE =
            new PreparationGrant(false, Map.of(), List.of(), new SandboxLimits(4, 4096, 512, 2048));
}
