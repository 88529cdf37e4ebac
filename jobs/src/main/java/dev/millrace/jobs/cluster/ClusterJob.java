package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.jobs.launch.CompleteCheckpoints;
import dev.millrace.jobs.launch.FlinkDefaults;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Function;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.core.execution.SavepointFormatType;
import org.apache.flink.runtime.OperatorIDPair;
import org.apache.flink.runtime.jobgraph.JobGraph;
import org.apache.flink.runtime.jobgraph.JobVertex;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.streaming.api.graph.StreamGraph;

/** A run's job on a process cluster. */
public final class ClusterJob {
    private static final long PATIENCE_SECONDS = 120;
    private static final int SUBMISSIONS = 2;

    /**
     * Where a job runs.
     *
     * @param checkpoints folder of all jobs' checkpoints
     * @param savepoints folder of savepoints that nobody gave another place
     */
    record Place(Configuration client, ClusterRest rest, Path checkpoints, Path savepoints) {}

    private final Place place;
    private final RunPlan plan;
    private final Optional<String> restoredFrom;
    private final Consumer<StreamExecutionEnvironment> addition;
    private final JobID id;
    private final Map<String, String> vertexOfOperator;
    private final List<JobID> lineage;

    private ClusterJob(
            Place place,
            RunPlan plan,
            Optional<String> restoredFrom,
            Consumer<StreamExecutionEnvironment> addition,
            JobGraph graph,
            List<JobID> earlier) {
        this.place = place;
        this.plan = plan;
        this.restoredFrom = restoredFrom;
        this.addition = addition;
        this.id = graph.getJobID();
        this.vertexOfOperator = operators(graph);
        this.lineage = new ArrayList<>(earlier);
        lineage.add(id);
    }

    /**
     * Builds and starts a job.
     *
     * @param addition adds to the run's graph, or nothing
     * @param earlier jobs whose checkpoints are this job's past
     */
    static ClusterJob submit(
            Place place,
            RunPlan plan,
            Optional<String> restoreFrom,
            Consumer<StreamExecutionEnvironment> addition,
            List<JobID> earlier) {
        Configuration configuration =
                FlinkDefaults.job(
                        plan.recipe().flink(),
                        place.checkpoints().toUri().toString(),
                        place.savepoints().toUri().toString(),
                        restoreFrom);
        StreamExecutionEnvironment env = new StreamExecutionEnvironment(configuration);
        FlinkDefaults.build(env, plan);
        addition.accept(env);
        StreamGraph named = env.getStreamGraph();
        named.setJobName(plan.runId());
        JobGraph graph = named.getJobGraph();
        ClusterJob job = new ClusterJob(place, plan, restoreFrom, addition, graph, earlier);
        job.start(graph);
        return job;
    }

    /** Hands over the same graph until it is taken: one under another id would run beside it. */
    private void start(JobGraph graph) {
        for (int left = SUBMISSIONS; ; left--) {
            try {
                ask(client -> client.submitJob(graph));
                return;
            } catch (JobManagerAway e) {
                if (known()) {
                    // Only the answer was lost.
                    return;
                }
                if (left == 1) {
                    throw e;
                }
            }
        }
    }

    private boolean known() {
        try {
            status();
            return true;
        } catch (JobManagerAway e) {
            return false;
        }
    }

    /** Flink's id of the job, as in the web UI; a resubmitted job has another. */
    public String jobId() {
        return id.toHexString();
    }

    /**
     * Where it is in its life.
     *
     * @throws JobManagerAway when nobody answers, or a JobManager that doesn't know the job
     */
    public JobStatus status() {
        return JobStatus.valueOf(
                place.rest().get("/jobs/" + id + "/status").path("status").asText());
    }

    /**
     * Attempt number of each subtask by operator; 0 is the first. Chained operators have the same;
     * operators of a name that occurs in two places are left out.
     *
     * @throws JobManagerAway when nobody answers, or a JobManager that doesn't know the job
     */
    public Map<String, List<Integer>> restarts() {
        Map<String, List<Integer>> byVertex = new HashMap<>();
        Map<String, List<Integer>> restarts = new TreeMap<>();
        vertexOfOperator.forEach(
                (operator, vertex) ->
                        restarts.put(
                                operator,
                                byVertex.computeIfAbsent(
                                        vertex,
                                        v ->
                                                subtasks(v).stream()
                                                        .map(s -> s.path("attempt").asInt())
                                                        .toList())));
        return restarts;
    }

    /**
     * Names of the TaskManagers that run an operator, by subtask; empty for one that waits for a
     * slot.
     *
     * @throws IllegalArgumentException when the job has no such operator
     * @throws JobManagerAway when nobody answers, or a JobManager that doesn't know the job
     */
    public List<String> taskManagersOf(String operatorName) {
        String vertex = vertexOfOperator.get(operatorName);
        if (vertex == null) {
            throw new IllegalArgumentException(
                    "no operator " + operatorName + " among " + vertexOfOperator.keySet());
        }
        return subtasks(vertex).stream()
                .map(s -> s.path("taskmanager-id").asText(""))
                .map(name -> name.equals("(unassigned)") ? "" : name)
                .toList();
    }

    /**
     * URI of the newest complete checkpoint of this job, or of those it was resubmitted from, or
     * what it was started from. Reads the disk: needs no JobManager. Savepoints don't count.
     */
    public Optional<String> newestCheckpoint() {
        List<String> folders =
                lineage.stream()
                        .map(job -> uri(place.checkpoints().resolve(job.toHexString())))
                        .toList();
        try {
            return CompleteCheckpoints.newest(folders).or(() -> restoredFrom);
        } catch (IOException e) {
            throw new UncheckedIOException("Checkpoints can't be listed", e);
        }
    }

    /** Stops it without draining its sources; blocks until it has. The URI of the savepoint. */
    public String stopWithSavepoint(Path target) {
        return ask(
                client ->
                        client.stopWithSavepoint(
                                id, false, uri(target), SavepointFormatType.NATIVE));
    }

    /** Takes a savepoint while it goes on; blocks until it is written. Its URI. */
    public String savepoint(Path target) {
        return ask(client -> client.triggerSavepoint(id, uri(target), SavepointFormatType.NATIVE));
    }

    /** Ends it without a savepoint; its checkpoints stay. */
    public void cancel() {
        ask(client -> client.cancel(id));
    }

    /**
     * Whether a checkpoint is being taken right now.
     *
     * @throws JobManagerAway when nobody answers, or a JobManager that doesn't know the job
     */
    public boolean checkpointInProgress() {
        JsonNode counts = place.rest().get("/jobs/" + id + "/checkpoints").path("counts");
        return counts.path("in_progress").asInt() > 0;
    }

    /**
     * Hands a lost job to a JobManager again, from the newest complete checkpoint, under the same
     * run id. This object stays what it was: the lost job.
     *
     * @throws JobManagerAway when no JobManager takes it
     */
    public ClusterJob resubmit() {
        return submit(place, plan, newestCheckpoint(), addition, lineage);
    }

    /** By number; empty while the JobManager is still making the job. */
    private List<JsonNode> subtasks(String vertex) {
        List<JsonNode> subtasks = new ArrayList<>();
        if (status() == JobStatus.INITIALIZING) {
            return subtasks;
        }
        place.rest()
                .get("/jobs/" + id + "/vertices/" + vertex)
                .path("subtasks")
                .forEach(subtasks::add);
        subtasks.sort(Comparator.comparingInt(s -> s.path("subtask").asInt()));
        return subtasks;
    }

    private <T> T ask(Function<RestClusterClient<String>, CompletableFuture<T>> question) {
        try (RestClusterClient<String> client =
                new RestClusterClient<>(place.client(), "process-cluster")) {
            return question.apply(client).get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking the JobManager", e);
        } catch (ExecutionException | TimeoutException e) {
            throw new JobManagerAway("The JobManager did not do what it was asked for", e);
        } catch (Exception e) {
            throw new IllegalStateException("No client of the JobManager can be made", e);
        }
    }

    private static String uri(Path target) {
        return target.toAbsolutePath().toUri().toString();
    }

    /** Vertices by operator; a name that two vertices share says nothing and is left out. */
    private static Map<String, String> operators(JobGraph graph) {
        Map<String, String> vertices = new LinkedHashMap<>();
        Set<String> shared = new HashSet<>();
        for (JobVertex vertex : graph.getVertices()) {
            String id = vertex.getID().toHexString();
            for (OperatorIDPair operator : vertex.getOperatorIDs()) {
                String earlier = vertices.put(operator.getUserDefinedOperatorName(), id);
                if (earlier != null && !earlier.equals(id)) {
                    shared.add(operator.getUserDefinedOperatorName());
                }
            }
        }
        vertices.keySet().removeAll(shared);
        return vertices;
    }
}
