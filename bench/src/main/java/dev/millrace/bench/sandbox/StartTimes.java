package dev.millrace.bench.sandbox;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Times until the first output of a command, by where it ran. */
final class StartTimes {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final List<Long> alone = new ArrayList<>();
    private final List<Long> fresh = new ArrayList<>();
    private final List<Long> prepared = new ArrayList<>();

    /**
     * Adds a round, in nanoseconds.
     *
     * @param bubblewrapAlone a command that bubblewrap was started for
     * @param freshSandbox the first command of a sandbox, with its creation
     * @param preparedSandbox a command of a sandbox that was there
     */
    void add(long bubblewrapAlone, long freshSandbox, long preparedSandbox) {
        alone.add(bubblewrapAlone);
        fresh.add(freshSandbox);
        prepared.add(preparedSandbox);
    }

    /** One line each. */
    List<String> lines() {
        return List.of(
                line("bubblewrap alone", alone),
                line("fresh sandbox, with its creation", fresh),
                line("prepared sandbox", prepared));
    }

    /** Medians in milliseconds, and how often that of bubblewrap alone goes into the others. */
    String json() {
        ObjectNode all = JSON.createObjectNode().put("rounds", alone.size());
        all.put("bubblewrapAloneP50Millis", rounded(millis(median(alone))));
        all.put("freshSandboxP50Millis", rounded(millis(median(fresh))));
        all.put("preparedSandboxP50Millis", rounded(millis(median(prepared))));
        all.put("freshToAlone", rounded((double) median(fresh) / median(alone)));
        all.put("preparedToAlone", rounded((double) median(prepared) / median(alone)));
        return all.toString();
    }

    private static String line(String where, List<Long> nanos) {
        return String.format(
                Locale.ROOT,
                "%-34s p50 %8.2f ms   max %8.2f ms",
                where,
                millis(median(nanos)),
                millis(Collections.max(nanos)));
    }

    private static long median(List<Long> nanos) {
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static double millis(long nanos) {
        return nanos / 1e6;
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
