package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Size of the embedded transformer. */
public record ModelSettings(
        @Setting(about = "size of a token's vector", byDefault = "128", min = "8", max = "4096")
                int width,
        @Setting(about = "transformer layers", byDefault = "2", min = "1", max = "64") int layers,
        @Setting(
                        about = "attention heads; divides `policy.model.width`",
                        byDefault = "4",
                        min = "1",
                        max = "64")
                int heads)
        implements Serializable {}
