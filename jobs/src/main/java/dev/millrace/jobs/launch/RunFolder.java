package dev.millrace.jobs.launch;

import dev.millrace.pipeline.topology.PlannedRun;
import dev.millrace.pipeline.topology.RunPlan;
import java.net.URI;
import java.nio.file.Path;

/**
 * What lies where in the output folder of a run. Its small files are worked on in a folder of this
 * machine; everything else is named by URIs that all machines see. Both are the same folder unless
 * the run lies in a bucket.
 *
 * @param root the output folder, or a copy of its small files
 * @param shared URI of the output folder, without a slash at its end
 */
public record RunFolder(Path root, String shared) {

    /** Makes the root absolute. */
    public RunFolder {
        root = root.toAbsolutePath().normalize();
    }

    /** A run on a disk. */
    public RunFolder(Path root) {
        this(root, withoutSlash(root.toAbsolutePath().normalize().toUri().toString()));
    }

    private static String withoutSlash(String uri) {
        return uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
    }

    /** Whether other machines see it under another name than this one. */
    public boolean remote() {
        return !shared.startsWith("file:");
    }

    /** URI of something in it that every machine sees. */
    public URI uri(String name) {
        return URI.create(shared + "/" + name);
    }

    /** URI of the checkpoints. */
    public String checkpointsUri() {
        return shared + "/checkpoints";
    }

    /** URI of the savepoints. */
    public String savepointsUri() {
        return shared + "/savepoints";
    }

    /** URI of saved trainer states and publications. */
    public String policiesUri() {
        return shared + "/policy";
    }

    /** URI of the content of attempts. */
    public String trajectoriesUri() {
        return shared + "/trajectories";
    }

    /** URI of the Parquet tables. */
    public String ledgerUri() {
        return shared + "/ledger";
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

    /** Where what is told of a run lies: here, or in a folder for each of several runs. */
    public RunFolder reports(RunPlan plan, PlannedRun run) {
        return plan.runs().size() == 1 ? this : client(run.runId());
    }

    /** Where what is told of one of several runs lies. */
    public RunFolder client(String runId) {
        return new RunFolder(clients().resolve(runId), shared + "/clients/" + runId);
    }

    /** Folders of what is told of several runs; missing when there is one. */
    public Path clients() {
        return root.resolve("clients");
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
