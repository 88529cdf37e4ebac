package dev.millrace.backends.rollout;

import dev.millrace.udfs.model.Task;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * A control: shows what the same kind of command printed for another task. A policy that learns all
 * the same must be getting its answers from elsewhere than its observations. Thread-safe.
 */
public final class ForeignObservations implements Observations {
    private static final int KEPT = 64;
    private final Map<String, Deque<Seen>> recent = new HashMap<>();

    private record Seen(String taskId, String text) {}

    @Override
    public synchronized String shown(Task task, String command, String text) {
        Deque<Seen> seen = recent.computeIfAbsent(firstWord(command), k -> new ArrayDeque<>());
        String other = takeOther(seen, task.taskId());
        seen.addLast(new Seen(task.taskId(), text));
        if (seen.size() > KEPT) {
            seen.removeFirst();
        }
        return other;
    }

    private static String takeOther(Deque<Seen> seen, String taskId) {
        for (Iterator<Seen> all = seen.iterator(); all.hasNext(); ) {
            Seen candidate = all.next();
            if (!candidate.taskId().equals(taskId)) {
                all.remove();
                return candidate.text();
            }
        }
        return "";
    }

    private static String firstWord(String command) {
        String trimmed = command.strip();
        int end = trimmed.indexOf(' ');
        return end < 0 ? trimmed : trimmed.substring(0, end);
    }
}
