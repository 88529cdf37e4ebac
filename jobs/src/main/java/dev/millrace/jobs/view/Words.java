package dev.millrace.jobs.view;

import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.stream.Collectors;

/** Numbers as people read them. */
final class Words {
    private Words() {}

    static String format(String pattern, Object... values) {
        return String.format(Locale.ROOT, pattern, values);
    }

    /** A duration with its two largest units. */
    static String duration(Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 60) {
            return seconds + " s";
        }
        if (seconds < 3600) {
            return format("%d min %02d s", seconds / 60, seconds % 60);
        }
        return format("%d h %02d min", seconds / 3600, seconds / 60 % 60);
    }

    /** Two digits after the point, or a hyphen when there is no such number yet. */
    static String number(OptionalDouble value) {
        return value.isPresent() ? format("%.2f", value.getAsDouble()) : "-";
    }

    static String percent(OptionalDouble share) {
        return share.isPresent() ? format("%.0f %%", 100 * share.getAsDouble()) : "-";
    }

    static String interval(Interval interval) {
        return format("%.2f [%.2f, %.2f]", interval.mean(), interval.low(), interval.high());
    }

    /** Names with their counts, the largest first; "none" when there are none. */
    static String counts(Map<String, Long> counts) {
        if (counts.isEmpty()) {
            return "none";
        }
        return counts.entrySet().stream()
                .sorted(Map.Entry.<String, Long>comparingByValue().reversed())
                .map(count -> count.getKey() + " " + count.getValue())
                .collect(Collectors.joining(", "));
    }

    static String bytes(long bytes) {
        return bytes >= 1L << 30
                ? format("%.1f GiB", bytes / (double) (1L << 30))
                : format("%d MiB", bytes >> 20);
    }

    /** Cut to a width, with dots where something is missing. */
    static String cut(String text, int width) {
        return text.length() <= width ? text : text.substring(0, width - 3) + "...";
    }
}
