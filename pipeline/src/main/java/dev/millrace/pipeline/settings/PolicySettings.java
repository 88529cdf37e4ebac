package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Which policy is trained, and how it starts. */
public record PolicySettings(
        @Setting(
                        about = "`embedded` is a small transformer inside this process",
                        byDefault = "embedded")
                Backend backend,
        ModelSettings model,
        WarmUpSettings warmUp)
        implements Serializable {

    /** Who samples and trains. */
    public enum Backend {
        /** A transformer inside the process. */
        EMBEDDED
    }
}
