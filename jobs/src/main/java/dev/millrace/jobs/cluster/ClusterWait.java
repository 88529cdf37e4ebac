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
 */
public record ClusterWait(Recipe recipe, PrintStream out) {
    private static final Duration PATIENCE = Duration.ofSeconds(40);
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /**
     * What the cluster says once it has all that the recipe needs, or after 40 s.
     *
     * @param address of its REST, {@code http://host:port}
     * @throws JobManagerAway when nobody answers
     */
    public ClusterFacts facts(String address) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        boolean said = false;
        while (true) {
            ClusterFacts facts = ClusterFacts.read(address);
            List<String> lacks = ClusterFit.lacks(recipe, facts);
            if (lacks.isEmpty() || System.nanoTime() > end) {
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
