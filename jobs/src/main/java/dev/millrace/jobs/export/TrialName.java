package dev.millrace.jobs.export;

import dev.millrace.backends.store.Sha256;
import java.nio.charset.StandardCharsets;

/** Names of the folders of attempts: the task's name, as far as it may be part of a path. */
final class TrialName {
    private static final int TASK_CHARACTERS = 32;
    private static final int DIGEST_CHARACTERS = 7;

    private TrialName() {}

    /**
     * The name of an attempt's folder, always the same.
     *
     * @param tries how many names of this attempt were taken by others
     */
    static String of(String taskId, String attemptId, int tries) {
        String plain = taskId.replaceAll("[^A-Za-z0-9._-]", "_").replaceAll("^[._-]+", "");
        String task = plain.substring(0, Math.min(TASK_CHARACTERS, plain.length()));
        String named = task.replaceAll("[._-]+$", "");
        String digest = Sha256.of((attemptId + "#" + tries).getBytes(StandardCharsets.UTF_8));
        return (named.isEmpty() ? "task" : named) + "__" + digest.substring(0, DIGEST_CHARACTERS);
    }
}
