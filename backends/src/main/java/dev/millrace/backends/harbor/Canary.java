package dev.millrace.backends.harbor;

import java.util.List;
import java.util.Locale;

/** Lines that mark a text as not to be trained on are no part of what an agent is told. */
final class Canary {
    private Canary() {}

    /** Drops such comments, and blank lines behind them, from the top. */
    static String strip(String instruction) {
        List<String> lines = instruction.lines().toList();
        int first = 0;
        while (first < lines.size() && isCanary(lines.get(first))) {
            first++;
        }
        if (first == 0) {
            return instruction;
        }
        while (first < lines.size() && lines.get(first).isBlank()) {
            first++;
        }
        return String.join("\n", lines.subList(first, lines.size())) + "\n";
    }

    private static boolean isCanary(String line) {
        String text = line.strip().toLowerCase(Locale.ROOT);
        boolean comment = text.startsWith("#") || (text.startsWith("<!--") && text.endsWith("-->"));
        return comment && text.contains("canary");
    }
}
