package dev.millrace.pipeline.settings;

import dev.millrace.backends.harbor.ImageMapping;
import dev.millrace.backends.port.SandboxLimits;
import java.io.Serializable;

/** Isolation of attempts and verifiers, and the limits of one sandbox. */
public record SandboxSettings(
        @Setting(
                        about =
                                "who makes sandboxes: `bubblewrap` on this host, `docker` as"
                                        + " containers of a daemon, `modal` at Modal",
                        byDefault = "bubblewrap")
                Provider provider,
        @Setting(
                        about = "main memory of a sandbox, MiB",
                        byDefault = "256",
                        min = "16",
                        max = "1048576")
                int memoryMb,
        @Setting(
                        about = "most tasks (processes and threads) of a sandbox",
                        byDefault = "64",
                        min = "4",
                        max = "1000000")
                int processes,
        @Setting(
                        about = "all that a sandbox can write, MiB",
                        byDefault = "32",
                        min = "1",
                        max = "1048576")
                int diskMb,
        @Setting(
                        about = "processor share of a sandbox; 1.0 is one core",
                        byDefault = "1.0",
                        min = "0.05",
                        max = "1024")
                double cpus,
        @Setting(
                        about =
                                "which images on this host stand for those that tasks name:"
                                    + " `PATTERN=/PATH` separated by commas, the first that fits"
                                    + " counts; a path is a folder, a tar archive or an OCI image"
                                    + " layout. Without a value this host's `/usr` stands for all;"
                                    + " only for `bubblewrap`",
                        byDefault = "",
                        pattern = ImageMapping.SYNTAX,
                        patternAbout = "PATTERN=/PATH pairs, separated by commas")
                String images,
        PreparationSettings preparation,
        DockerSandboxSettings docker,
        ModalSandboxSettings modal)
        implements Serializable {

    /** Who makes sandboxes. */
    public enum Provider {
        /** Unprivileged namespaces on this host. */
        BUBBLEWRAP,
        /** Containers of a Docker daemon. */
        DOCKER,
        /** Sandboxes of Modal. */
        MODAL
    }

    /** The images that stand for those that tasks name. */
    public ImageMapping imageMapping() {
        boolean asNamed =
                switch (provider) {
                    case BUBBLEWRAP -> false;
                    case DOCKER -> docker.taskImages();
                    case MODAL -> modal.taskImages();
                };
        return asNamed ? ImageMapping.AS_NAMED : ImageMapping.parse(images);
    }

    /** Limits of every sandbox. */
    public SandboxLimits limits() {
        return new SandboxLimits(cpus, memoryMb, processes, diskMb);
    }
}
