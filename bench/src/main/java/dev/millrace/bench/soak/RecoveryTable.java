package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Recoveries by kind of failure. */
final class RecoveryTable {
    private static final ObjectMapper JSON = new ObjectMapper();
    private final Map<KillKind, List<Recovery>> recoveries = new EnumMap<>(KillKind.class);

    void add(KillKind kind, Recovery recovery) {
        recoveries.computeIfAbsent(kind, k -> new ArrayList<>()).add(recovery);
    }

    /** One line a kind: failures of one region first. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(
                String.format(
                        "%-18s %-9s %5s %10s %10s %10s %10s %10s",
                        "failure", "of", "n", "median s", "max s", "redone s", "ETTR", "least"));
        recoveries.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getKey().mayRestart()))
                .forEach(each -> lines.add(line(each.getKey(), each.getValue())));
        return lines;
    }

    /**
     * The same as one JSON object.
     *
     * @param stepSeconds median time between two steps while nothing fails
     */
    String json(double stepSeconds) {
        ObjectNode all = JSON.createObjectNode();
        all.put("stepSeconds", rounded(stepSeconds));
        all.put("windowSeconds", Recovery.WINDOW_SECONDS);
        ObjectNode kinds = all.putObject("recovery");
        recoveries.forEach(
                (kind, each) ->
                        kinds.putObject(kind.label())
                                .put("of", scope(kind))
                                .put("n", each.size())
                                .put("p50", rounded(median(each).seconds()))
                                .put("max", rounded(slowest(each).seconds()))
                                .put("redoneP50", rounded(median(each).redoneSeconds()))
                                .put("ettr", rounded(median(each).ettr()))
                                .put("ettrLeast", rounded(least(each))));
        return all.toString();
    }

    private static String line(KillKind kind, List<Recovery> each) {
        return String.format(
                Locale.ROOT,
                "%-18s %-9s %5d %10.1f %10.1f %10.1f %10.3f %10.3f",
                kind.label(),
                scope(kind),
                each.size(),
                median(each).seconds(),
                slowest(each).seconds(),
                median(each).redoneSeconds(),
                median(each).ettr(),
                least(each));
    }

    private static String scope(KillKind kind) {
        return switch (kind.mayRestart()) {
            case NONE -> "none";
            case ROLLOUT -> "rollout";
            case LEARN -> "learn";
            case ANY -> "all";
        };
    }

    /** By what it cost in all; of two the smaller. */
    private static Recovery median(List<Recovery> recoveries) {
        List<Recovery> sorted = new ArrayList<>(recoveries);
        sorted.sort(Comparator.comparing(Recovery::ettr).reversed());
        return sorted.get((sorted.size() - 1) / 2);
    }

    private static Recovery slowest(List<Recovery> recoveries) {
        return recoveries.stream().max(Comparator.comparing(Recovery::seconds)).orElseThrow();
    }

    private static double least(List<Recovery> recoveries) {
        return recoveries.stream().mapToDouble(Recovery::ettr).min().orElseThrow();
    }

    private static double rounded(double value) {
        return Math.round(value * 1000) / 1000.0;
    }
}
