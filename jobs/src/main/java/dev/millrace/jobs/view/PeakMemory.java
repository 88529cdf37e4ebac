package dev.millrace.jobs.view;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The most memory that this process has held. */
public final class PeakMemory {
    private static final Pattern HIGH_WATER = Pattern.compile("(?m)^VmHWM:\\s+(\\d+) kB$");

    private PeakMemory() {}

    /** Bytes of resident memory at the highest, without child processes; 0 when unknown. */
    public static long bytes() {
        return bytes(Path.of("/proc/self/status"));
    }

    static long bytes(Path status) {
        try {
            Matcher matcher = HIGH_WATER.matcher(Files.readString(status));
            return matcher.find() ? 1024 * Long.parseLong(matcher.group(1)) : 0;
        } catch (IOException notLinux) {
            return 0;
        }
    }
}
