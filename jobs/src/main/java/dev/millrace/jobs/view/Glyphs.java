package dev.millrace.jobs.view;

import java.util.List;

/** Small drawings of numbers. */
final class Glyphs {
    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final String PLAIN_BARS = "_.,-=+*#";

    private final boolean unicode;

    Glyphs(boolean unicode) {
        this.unicode = unicode;
    }

    /** A curve of numbers, scaled to their own range when they differ. */
    String curve(List<Double> values) {
        double min = values.stream().mapToDouble(Double::doubleValue).min().orElse(0);
        double max = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        String bars = unicode ? BARS : PLAIN_BARS;
        StringBuilder line = new StringBuilder();
        for (double value : values) {
            double share = max > min ? (value - min) / (max - min) : 0.5;
            line.append(bars.charAt((int) Math.round(share * (bars.length() - 1))));
        }
        return line.toString();
    }

    /** A bar of that width, filled by the share. */
    String bar(double share, int width) {
        int full = (int) Math.round(Math.max(0, Math.min(1, share)) * width);
        return unicode
                ? "█".repeat(full) + "░".repeat(width - full)
                : "#".repeat(full) + ".".repeat(width - full);
    }

    /** From one thing to another. */
    String arrow() {
        return unicode ? "→" : "->";
    }
}
