package dev.millrace.backends.rollout;

import dev.millrace.udfs.model.Task;

/** What a policy is shown of a command's output. */
@FunctionalInterface
public interface Observations {

    /**
     * @param task the problem being played
     * @param command what was run
     * @param text what it printed, as the policy would see it
     * @return what the policy sees
     */
    String shown(Task task, String command, String text);

    /** The truth. */
    static Observations own() {
        return (task, command, text) -> text;
    }
}
