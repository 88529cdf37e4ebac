package dev.millrace.bench.sim;

import java.util.List;

/**
 * The parts of a lease's name, {@code <group id>/<attempt>/<admission>/<try>}.
 *
 * @param groupId all before the attempt
 * @param attempt {@code a} and a number; empty when the name has another form
 * @param admission which admission of the group
 * @param use {@code t} and the number of a try, or {@code grade} and the number of a grading
 */
public record LeaseName(String groupId, String attempt, String admission, String use) {

    /** Takes a name apart. */
    public static LeaseName of(String name) {
        List<String> parts = List.of(name.split("/", -1));
        int n = parts.size();
        if (n < 4 || !parts.get(n - 3).matches("a\\d+")) {
            return new LeaseName(name, "", "", "");
        }
        return new LeaseName(
                String.join("/", parts.subList(0, n - 3)),
                parts.get(n - 3),
                parts.get(n - 2),
                parts.get(n - 1));
    }

    /** The attempt's id. */
    public String attemptId() {
        return groupId + "/" + attempt;
    }

    /** As fault plans name it: {@code g3.a1}. */
    String selector() {
        return groupId.substring(groupId.lastIndexOf('/') + 1) + "." + attempt;
    }

    /** The same for every admission. */
    String withoutAdmission() {
        return attemptId() + "/" + use;
    }
}
