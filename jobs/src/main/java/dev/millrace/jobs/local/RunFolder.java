package dev.millrace.jobs.local;

import java.nio.file.Path;

/**
 * What lies where in the output folder of a run on this machine.
 *
 * @param root the output folder
 */
record RunFolder(Path root) {

    RunFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** What a resumed run must know: {@link RunIdentity}. */
    Path identity() {
        return root.resolve("run.json");
    }

    Path tasks() {
        return root.resolve("tasks");
    }

    Path broker() {
        return root.resolve("kafka");
    }

    Path checkpoints() {
        return root.resolve("checkpoints");
    }

    Path savepoints() {
        return root.resolve("savepoints");
    }

    Path policies() {
        return root.resolve("policy");
    }

    Path trajectories() {
        return root.resolve("trajectories");
    }

    Path ledger() {
        return root.resolve("ledger");
    }

    Path events() {
        return root.resolve("events.jsonl");
    }

    Path summary() {
        return root.resolve("summary.json");
    }

    /** Short-lived files; gone when the run is. */
    Path scratch() {
        return root.resolve("scratch");
    }
}
