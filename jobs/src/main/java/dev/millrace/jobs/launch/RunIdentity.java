package dev.millrace.jobs.launch;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import dev.millrace.jobs.view.WarmUpReport;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HexFormat;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What is settled at the first start of a run and stays.
 *
 * @param runId name and random suffix
 * @param initialStateUri trainer state that the run starts from
 * @param initialPolicyUri the same policy, for samplers
 * @param warmUp how it came about
 * @param fixed settings that can't change while it lives, by key; null when they were not kept
 */
public record RunIdentity(
        String runId,
        String initialStateUri,
        String initialPolicyUri,
        WarmUpReport warmUp,
        Map<String, String> fixed) {
    private static final ObjectMapper JSON =
            new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** One whose settings are not kept. */
    public RunIdentity(
            String runId, String initialStateUri, String initialPolicyUri, WarmUpReport warmUp) {
        this(runId, initialStateUri, initialPolicyUri, warmUp, null);
    }

    /** The same, which keeps these settings. */
    public RunIdentity keeping(Map<String, String> settings) {
        return new RunIdentity(runId, initialStateUri, initialPolicyUri, warmUp, settings);
    }

    /** A name that no other run has. */
    public static String newRunId(String name) {
        byte[] suffix = new byte[3];
        RandomGenerator.getDefault().nextBytes(suffix);
        return name + "-" + HexFormat.of().formatHex(suffix);
    }

    /** The policy that a KL term pulls towards. */
    public PolicyRef reference() {
        return new PolicyRef(new PolicyVersion(0, 0), initialPolicyUri);
    }

    /** Writes it whole or not at all. */
    public void write(Path file) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".part");
        JSON.writeValue(temporary.toFile(), this);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads what {@link #write} wrote. */
    public static RunIdentity read(Path file) throws IOException {
        return JSON.readValue(file.toFile(), RunIdentity.class);
    }
}
