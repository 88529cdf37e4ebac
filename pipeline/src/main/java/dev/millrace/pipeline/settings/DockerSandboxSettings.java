package dev.millrace.pipeline.settings;

import dev.millrace.backends.docker.DockerSettings;
import java.io.Serializable;
import java.nio.file.Path;

/** A Docker daemon; only for {@code sandbox.provider: docker}. */
public record DockerSandboxSettings(
        @Setting(
                        about =
                                "unix socket of the daemon, at this path on every machine that runs"
                                        + " tasks",
                        byDefault = "/var/run/docker.sock",
                        pattern = "/.+",
                        patternAbout = "an absolute path")
                String socket,
        @Setting(about = "image of the sandboxes; it is pulled where it is missing", byDefault = "")
                String image,
        @Setting(
                        about =
                                "whether tasks have the images that they name, each pulled where it"
                                        + " is missing; `image` is for those that name none",
                        byDefault = "false")
                boolean taskImages,
        @Setting(
                        about =
                                "numeric user and group of commands; `0:0` only where the daemon is"
                                        + " rootless or maps users",
                        byDefault = "1000:1000",
                        pattern = "[0-9]{1,9}:[0-9]{1,9}",
                        patternAbout = "two numbers with a colon between")
                String user,
        @Setting(about = "program of the image that runs commands", byDefault = "/bin/sh")
                String shell,
        @Setting(
                        about =
                                "refuse a daemon whose storage can't limit what a sandbox writes;"
                                        + " when false, only single files are limited there",
                        byDefault = "true")
                boolean sizedDisk)
        implements Serializable {

    /** As the provider wants it. */
    public DockerSettings provider() {
        DockerSettings usual = DockerSettings.at(Path.of(socket), image);
        return new DockerSettings(
                usual.socket(),
                usual.image(),
                user,
                shell,
                sizedDisk,
                usual.requestTimeoutMillis(),
                usual.pullTimeoutMillis(),
                usual.killGraceMillis(),
                usual.hardOutputBytes());
    }
}
