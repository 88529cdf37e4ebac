package dev.millrace.jobs.cluster;

import dev.millrace.pipeline.settings.Recipe;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/**
 * Gives task managers that are still starting the time to register, so that it makes no difference
 * in which order a cluster and a run are started.
 *
 * @param recipe what the cluster must offer
 * @param out told once what is waited for
 * @param patience how long
 */
public record ClusterWait(Recipe recipe, PrintStream out, Duration patience) {
    /** Long enough for a process that is starting, and a third of the minute a refusal may take. */
    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** Waits for 20 s; not at all for a run that is refused anyway. */
    public static ClusterWait forRun(Recipe recipe, PrintStream out, boolean refused) {
        return new ClusterWait(recipe, out, refused ? Duration.ZERO : PATIENCE);
    }

    /**
     * What the cluster says once it has all that the recipe needs, or when patience ends.
     *
     * @param address of its REST, {@code http://host:port}
     * @throws JobManagerAway when nobody answers
     */
    public ClusterFacts facts(String address) {
        long end = System.nanoTime() + patience.toNanos();
        boolean said = false;
        while (true) {
            ClusterFacts facts = ClusterFacts.read(address);
            List<String> lacks = ClusterFit.lacks(recipe, facts);
            if (lacks.isEmpty() || System.nanoTime() - end >= 0) {
                return facts;
            }
            if (!said) {
                said = true;
                out.println("waiting for task managers: " + lacks.get(0));
            }
            LockSupport.parkNanos(PAUSE.toNanos());
        }
    }
}
