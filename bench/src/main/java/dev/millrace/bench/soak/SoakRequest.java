package dev.millrace.bench.soak;

import java.nio.file.Path;
import java.util.List;

/**
 * What is asked of a soak.
 *
 * @param kills how many
 * @param steps of the run
 * @param seed of the workload and of the kills
 * @param workload its name
 * @param factor virtual seconds in a real one
 * @param kinds kinds of kills
 * @param output folder of everything it leaves
 */
record SoakRequest(
        int kills,
        long steps,
        long seed,
        String workload,
        double factor,
        List<KillKind> kinds,
        Path output) {}
