package dev.millrace.operators.admission;

import java.io.Serializable;
import java.util.List;

/**
 * Full names of the topics that the gate hears.
 *
 * @param tasks the catalogue
 * @param turns the journal
 * @param groups closed groups
 * @param policies announcements and publications
 * @param progress what became of closed groups
 */
public record GateTopics(
        String tasks, String turns, String groups, String policies, String progress)
        implements Serializable {
    /** All of them. */
    public List<String> all() {
        return List.of(tasks, turns, groups, policies, progress);
    }
}
