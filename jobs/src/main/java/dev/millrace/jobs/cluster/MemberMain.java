package dev.millrace.jobs.cluster;

import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.util.Arrays;

/**
 * Runs another main class, in a process that ends when its standard input does: so no member of a
 * cluster outlives the process that started it, even one that was killed.
 */
public final class MemberMain {
    private static final long GRACE_MILLIS = 5_000;

    private MemberMain() {}

    /**
     * Runs a main class.
     *
     * @param arguments its name, then its arguments
     */
    public static void main(String[] arguments) throws Exception {
        Thread watch = new Thread(MemberMain::endWithInput, "parent-watch");
        watch.setDaemon(true);
        watch.start();
        String[] passed = Arrays.copyOfRange(arguments, 1, arguments.length);
        try {
            Class.forName(arguments[0])
                    .getMethod("main", String[].class)
                    .invoke(null, (Object) passed);
        } catch (InvocationTargetException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        }
    }

    private static void endWithInput() {
        try {
            while (System.in.read() >= 0) {
                // Nobody writes: it only ends.
            }
        } catch (IOException e) {
            System.err.println("Standard input failed, which ends this process: " + e);
        }
        Thread halt = new Thread(MemberMain::haltAfterGrace, "parent-gone");
        halt.setDaemon(true);
        halt.start();
        System.exit(1);
    }

    private static void haltAfterGrace() {
        try {
            Thread.sleep(GRACE_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Runtime.getRuntime().halt(1);
    }
}
