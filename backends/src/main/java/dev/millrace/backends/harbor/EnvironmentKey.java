package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;

/** What an environment is made of, as one short text: the same text is the same environment. */
final class EnvironmentKey {
    private final MessageDigest digest;

    private EnvironmentKey() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java without SHA-256", e);
        }
    }

    /**
     * The key of a plan that was carried out.
     *
     * @param variant what was done to it besides
     */
    static String of(EnvironmentPlan plan, String variant) {
        EnvironmentKey key = new EnvironmentKey();
        key.add(variant).add(plan.image()).add(plan.workdir()).add(plan.environment());
        for (EnvironmentPlan.Step step : plan.steps()) {
            key.add(step.command()).add(step.workdir()).add(step.environment());
            key.add(Integer.toString(step.files().size()));
            for (SandboxFile file : step.files()) {
                key.add(file.path()).add(file.executable() ? "x" : "").add(file.content());
            }
        }
        return HexFormat.of().formatHex(key.digest.digest());
    }

    private EnvironmentKey add(Map<String, String> variables) {
        add(Integer.toString(variables.size()));
        new TreeMap<>(variables).forEach((name, value) -> add(name).add(value));
        return this;
    }

    private EnvironmentKey add(String text) {
        return add(text.getBytes(StandardCharsets.UTF_8));
    }

    /** With its length, so that no two parts can be taken for one. */
    private EnvironmentKey add(byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).array());
        digest.update(bytes);
        return this;
    }
}
