package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Which policy is trained, and how it starts. */
public record PolicySettings(
        @Setting(
                        about =
                                "`embedded` is a small transformer inside this process, `tinker` a"
                                        + " model behind a server of the Tinker protocol",
                        byDefault = "embedded")
                Backend backend,
        ModelSettings model,
        WarmUpSettings warmUp,
        TinkerServerSettings tinker)
        implements Serializable {

    /** Who samples and trains. */
    public enum Backend {
        /** A transformer inside the process. */
        EMBEDDED,
        /** A model behind a server. */
        TINKER
    }
}
