package dev.millrace.pipeline.settings;

import dev.millrace.backends.bubblewrap.PreparationGrant;
import dev.millrace.backends.harbor.HostVariables;
import dev.millrace.backends.port.SandboxLimits;
import java.io.Serializable;
import java.util.Arrays;
import java.util.List;

/**
 * What commands of a Dockerfile get; those of agents and tests don't. Only with {@code
 * sandbox.images}.
 */
public record PreparationSettings(
        @Setting(
                        about =
                                "whether `RUN` has this host's network, all of it; it is less"
                                        + " isolated then",
                        byDefault = "false")
                boolean network,
        @Setting(
                        about =
                                "variables of the process that `RUN` finds set, separated by"
                                    + " commas, such as those of an index of packages or a proxy",
                        byDefault = "",
                        pattern = "([A-Za-z_][A-Za-z0-9_]*(,[A-Za-z_][A-Za-z0-9_]*)*)?",
                        patternAbout = "names of variables, separated by commas")
                String variables,
        @Setting(
                        about =
                                "absolute paths of files and folders of this host that `RUN` sees"
                                        + " at the same place, read-only, separated by commas",
                        byDefault = "",
                        pattern = "(/[^,]+(,/[^,]+)*)?",
                        patternAbout = "absolute paths, separated by commas")
                String files,
        @Setting(
                        about = "main memory while an environment is made, MiB; its disk is part",
                        byDefault = "4096",
                        min = "16",
                        max = "1048576")
                int memoryMb,
        @Setting(
                        about = "all that making an environment can write, MiB",
                        byDefault = "2048",
                        min = "1",
                        max = "1048576")
                int diskMb)
        implements Serializable {
    private static final int CPUS = 4;
    private static final int PROCESSES = 512;

    /** As the provider wants it, with the variables that this process has. */
    public PreparationGrant granted() {
        List<String> paths =
                Arrays.stream(files.split(",", -1)).filter(path -> !path.isEmpty()).toList();
        return new PreparationGrant(
                network,
                HostVariables.named(List.of(variables.split(",")), System.getenv()),
                paths,
                new SandboxLimits(CPUS, memoryMb, PROCESSES, diskMb));
    }
}
