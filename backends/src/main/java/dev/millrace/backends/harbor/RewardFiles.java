package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Which of the reward files is the verifier's own. A test script that names one of the two never
 * writes the other: that one was planted by what it ran.
 */
final class RewardFiles {
    private static final String TEXT = "reward.txt";
    private static final String JSON = "reward.json";

    private RewardFiles() {}

    /**
     * Takes out what the task's tests do not write.
     *
     * @param logs files of the verifier's log folder
     * @param flags gets {@code reward_planted:<name>} for a file that was taken out
     */
    static List<SandboxFile> own(HarborTask task, List<SandboxFile> logs, List<String> flags) {
        boolean text = named(task, TEXT);
        boolean json = named(task, JSON);
        if (text == json) {
            return logs;
        }
        String foreign = text ? JSON : TEXT;
        if (logs.stream().noneMatch(file -> file.path().equals(foreign))) {
            return logs;
        }
        flags.add("reward_planted:" + foreign);
        return logs.stream().filter(file -> !file.path().equals(foreign)).toList();
    }

    private static boolean named(HarborTask task, String name) {
        return task.tests().stream()
                .map(file -> new String(file.content(), StandardCharsets.ISO_8859_1))
                .anyMatch(text -> text.contains(name));
    }
}
