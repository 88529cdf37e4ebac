package dev.millrace.pipeline.settings;

import java.io.Serializable;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * All settings of a run, complete and checked. Only {@link RecipeReader} makes one from text.
 *
 * @param run name and seed
 * @param tasks where tasks come from
 * @param rollout how attempts are played
 * @param agent how agents work
 * @param grading how attempts are judged
 * @param train how the policy learns
 * @param eval how published versions are measured
 * @param policy which policy, and how it starts
 * @param sandbox isolation and its limits
 * @param controls deliberate sabotage that shows what causes an effect
 * @param limits where the run stops itself
 * @param flink the job's own settings
 * @param kafka where the topics are
 */
public record Recipe(
        RunSettings run,
        TaskSettings tasks,
        RolloutSettings rollout,
        AgentSettings agent,
        GradingSettings grading,
        TrainSettings train,
        EvalSettings eval,
        PolicySettings policy,
        SandboxSettings sandbox,
        ControlSettings controls,
        LimitSettings limits,
        FlinkSettings flink,
        KafkaSettings kafka)
        implements Serializable {

    /** The recipe as YAML that reads back as this recipe. */
    public String toYaml() {
        return RecipeWriter.yaml(this);
    }

    /** Lower-case hex SHA-256 of {@link #toYaml()}: equal recipes have equal digests. */
    public String digest() {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(toYaml().getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
