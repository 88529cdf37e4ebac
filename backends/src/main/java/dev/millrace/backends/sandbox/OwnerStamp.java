package dev.millrace.backends.sandbox;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Names what a process keeps on the host, so that a later process can tell whose it was and whether
 * that one still lives. A process id alone would be ambiguous once ids wrap around.
 */
public final class OwnerStamp {
    private static final Pattern NAME = Pattern.compile("millrace-(\\d+)-(\\d+)-\\d+");
    private static final AtomicInteger COUNT = new AtomicInteger();
    private static final AtomicInteger BLOCK = new AtomicInteger();

    /** Blocks of user ids that are in use, one after the other. */
    public static final int BLOCKS = 16_384;

    private OwnerStamp() {}

    /** A fresh name that belongs to this process. */
    public static String mint() {
        long pid = ProcessHandle.current().pid();
        return "millrace-" + pid + "-" + startTicks(pid) + "-" + COUNT.incrementAndGet();
    }

    /**
     * A number below {@link #BLOCKS} that another live process, or another provider of this one,
     * hardly has: limits that the kernel counts by user id must not be shared.
     */
    public static int block() {
        return (int) ((ProcessHandle.current().pid() * 16 + BLOCK.incrementAndGet()) % BLOCKS);
    }

    /** Whether the name is one that {@link #mint} gives. */
    public static boolean isOurs(String name) {
        return NAME.matcher(name).matches();
    }

    /** Whether the name is one of ours and its process is gone. */
    public static boolean isStale(String name) {
        Matcher matcher = NAME.matcher(name);
        return matcher.matches()
                && startTicks(Long.parseLong(matcher.group(1))) != Long.parseLong(matcher.group(2));
    }

    private static long startTicks(long pid) {
        try {
            String stat = KernelFiles.read(Path.of("/proc", Long.toString(pid), "stat"));
            // The second field is the name in brackets and may hold blanks.
            String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", 21);
            return Long.parseLong(rest[19]);
        } catch (IOException gone) {
            return -1;
        }
    }
}
