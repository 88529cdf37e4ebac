package dev.millrace.backends.exampletasks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.embedded.SimulatedShell;
import dev.millrace.udfs.model.Split;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** How much can be won without looking. */
class FixedCommandsTest {
    private static final int COMMANDS_OF_AN_ATTEMPT = 4;

    @Test
    void fixedCommandsSolveFewTestTasksEvenWithWildcards() {
        List<ExampleTask> tasks = ExampleTasks.generate(1, Counts.DEFAULT);
        List<ExampleTask> tests = tasks.stream().filter(t -> t.split() == Split.TEST).toList();
        Set<String> candidates = new LinkedHashSet<>();
        for (ExampleTask task : tasks) {
            candidates.add(task.repair());
            candidates.add(task.repair().replaceFirst("[a-z]+\\.py$", "*.py"));
        }
        List<String> chosen = new ArrayList<>();
        int best = 0;
        for (int i = 0; i < COMMANDS_OF_AN_ATTEMPT; i++) {
            String next = null;
            for (String candidate : candidates) {
                List<String> longer = new ArrayList<>(chosen);
                longer.add(candidate);
                int solved = solved(tests, longer);
                if (solved > best) {
                    best = solved;
                    next = candidate;
                }
            }
            if (next == null) {
                break;
            }
            chosen.add(next);
        }
        System.out.println("fixed commands solve " + best + " of " + tests.size() + ": " + chosen);
        assertThat(best).as("%s", chosen).isBetween(1, tests.size() * 15 / 100);
    }

    private static int solved(List<ExampleTask> tasks, List<String> commands) {
        int solved = 0;
        for (ExampleTask task : tasks) {
            SimulatedShell shell = new SimulatedShell(task.repository());
            commands.forEach(shell::run);
            SimulatedShell repaired = new SimulatedShell(task.repository());
            repaired.run(task.repair());
            solved += sources(shell).equals(sources(repaired)) ? 1 : 0;
        }
        return solved;
    }

    private static SortedMap<String, String> sources(SimulatedShell shell) {
        SortedMap<String, String> sources = new TreeMap<>(shell.files());
        sources.keySet().removeIf(path -> !path.endsWith(".py"));
        return sources;
    }
}
