package dev.millrace.pipeline.settings;

import java.io.Serializable;

/** Where the topics are. */
public record KafkaSettings(
        @Setting(
                        about =
                                "`embedded` for a broker inside this process, else a"
                                        + " comma-separated list of host:port",
                        byDefault = "embedded",
                        pattern = "embedded|[^\\s,:]+:\\d{1,5}(,[^\\s,:]+:\\d{1,5})*",
                        patternAbout = "`embedded` or a comma-separated list of host:port")
                String bootstrap,
        @Setting(
                        about =
                                "file of Kafka client properties (TLS, SASL), read where the run is"
                                        + " submitted; secrets in it are references,"
                                        + " `${file:/path:key}` or `${env:NAME}`, that each machine"
                                        + " reads itself",
                        byDefault = "")
                String properties)
        implements Serializable {

    /** Whether the process brings its own broker. */
    public boolean embedded() {
        return bootstrap.equals("embedded");
    }
}
