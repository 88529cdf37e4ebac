package dev.millrace.pipeline.settings;

import dev.millrace.backends.modal.ModalSettings;
import dev.millrace.backends.modal.ModalTimes;
import java.io.Serializable;
import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Sandboxes of Modal; only for {@code sandbox.provider: modal}. */
public record ModalSandboxSettings(
        @Setting(
                        about = "address of Modal's server",
                        byDefault = "https://api.modal.com",
                        pattern = "https?://[^/]+",
                        patternAbout = "an address that begins with https://")
                String server,
        @Setting(
                        about = "app that the sandboxes belong to; it is made when it is missing",
                        byDefault = "millrace",
                        pattern = ".+",
                        patternAbout = "a name")
                String app,
        @Setting(about = "environment of the workspace; empty for its usual one", byDefault = "")
                String environment,
        @Setting(about = "registry tag of the sandboxes' image", byDefault = "") String image,
        @Setting(
                        about =
                                "whether tasks have the images that they name, each with `layers`"
                                        + " on top; `image` is for those that name none",
                        byDefault = "false")
                boolean taskImages,
        @Setting(
                        about = "Dockerfile lines on top of the image, each on a line of its own",
                        byDefault = "")
                String layers,
        @Setting(
                        about = "version of Modal's image builder; empty for the environment's own",
                        byDefault = "")
                String builderVersion,
        @Setting(
                        about = "numeric user and group of commands, not root",
                        byDefault = "1000:1000",
                        pattern = "[1-9][0-9]{0,8}:[1-9][0-9]{0,8}",
                        patternAbout = "two numbers above 0 with a colon between")
                String user,
        @Setting(about = "program of the image that runs commands", byDefault = "/bin/sh")
                String shell,
        @Setting(
                        about =
                                "most sandboxes that one machine creates in a second; 0 for no"
                                        + " limit",
                        byDefault = "4.0",
                        min = "0",
                        max = "1000")
                double createsPerSecond,
        @Setting(
                        about = "most sandboxes that one machine has open at once",
                        byDefault = "1000",
                        min = "1",
                        max = "100000")
                int mostSandboxes,
        @Setting(
                        about = "after that long a sandbox ends, whatever happens",
                        byDefault = "24h",
                        min = "1m",
                        max = "24h")
                Duration lifetime)
        implements Serializable {

    /** As the provider wants it. */
    public ModalSettings provider() {
        ModalSettings usual = ModalSettings.of(app, image);
        ModalTimes times = usual.times();
        List<String> lines = layers.lines().map(String::strip).filter(l -> !l.isEmpty()).toList();
        return new ModalSettings(
                URI.create(server),
                app,
                environment,
                image,
                lines,
                builderVersion,
                user,
                shell,
                createsPerSecond,
                mostSandboxes,
                usual.hardOutputBytes(),
                new ModalTimes(
                        times.requestMillis(),
                        times.startMillis(),
                        times.pollMillis(),
                        times.imageMillis(),
                        times.throttleMillis(),
                        times.retryMillis(),
                        times.killGraceMillis(),
                        lifetime.toMillis()));
    }
}
