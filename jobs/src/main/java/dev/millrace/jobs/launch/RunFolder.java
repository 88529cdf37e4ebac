package dev.millrace.jobs.launch;

import java.nio.file.Path;

/**
 * What lies where in the output folder of a run.
 *
 * @param root the output folder
 */
public record RunFolder(Path root) {

    /** Makes the root absolute. */
    public RunFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** What a resumed run must know: {@link RunIdentity}. */
    public Path identity() {
        return root.resolve("run.json");
    }

    /** Generated tasks. */
    public Path tasks() {
        return root.resolve("tasks");
    }

    /** The embedded broker's data. */
    public Path broker() {
        return root.resolve("kafka");
    }

    /** Checkpoints. */
    public Path checkpoints() {
        return root.resolve("checkpoints");
    }

    /** Savepoints. */
    public Path savepoints() {
        return root.resolve("savepoints");
    }

    /** Saved trainer states and publications. */
    public Path policies() {
        return root.resolve("policy");
    }

    /** Content of attempts. */
    public Path trajectories() {
        return root.resolve("trajectories");
    }

    /** Parquet tables. */
    public Path ledger() {
        return root.resolve("ledger");
    }

    /** What happened, a line each. */
    public Path events() {
        return root.resolve("events.jsonl");
    }

    /** What came of it. */
    public Path summary() {
        return root.resolve("summary.json");
    }

    /** Short-lived files; gone when the run is. */
    public Path scratch() {
        return root.resolve("scratch");
    }
}
