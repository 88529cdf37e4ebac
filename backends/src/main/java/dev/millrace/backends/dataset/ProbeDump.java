package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.MixedSelection.Tally;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a probe saw: a first line about the probe, then a line for each attempt. The file appears
 * when the probe is complete.
 */
public final class ProbeDump implements AutoCloseable {
    private static final String REMEDY = "; make one with probe";
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path file;
    private final Path building;
    private final BufferedWriter out;
    private long index;

    /**
     * What was probed.
     *
     * @param dataset name of the subset
     * @param checkpoint which policy
     * @param samples attempts at each task
     */
    public record About(String dataset, String checkpoint, int samples) {}

    /** Begins a dump. */
    public ProbeDump(Path file, About about) throws IOException {
        this.file = file.toAbsolutePath();
        Files.createDirectories(this.file.getParent());
        this.building = this.file.resolveSibling(file.getFileName() + ".part");
        this.out = Files.newBufferedWriter(building);
        ObjectNode head = JSON.createObjectNode();
        head.put("evaluation", true);
        head.put("dataset", about.dataset());
        head.put("checkpoint", about.checkpoint());
        head.put("n_samples", about.samples());
        line(head);
    }

    /**
     * Notes an attempt.
     *
     * @param gradeable whether it has a verdict
     */
    public void attempt(String instanceId, double reward, boolean gradeable) throws IOException {
        ObjectNode line = JSON.createObjectNode();
        line.put("index", index++);
        line.put("label", instanceId);
        line.put("reward", reward);
        line.put("remove_sample", !gradeable);
        ObjectNode metadata = line.putObject("metadata");
        metadata.put("instance_id", instanceId);
        ObjectNode agentic = metadata.putObject("agentic");
        if (gradeable) {
            agentic.put("is_solved", reward >= 1);
        }
        line(line);
    }

    /** Ends it: the file is there. */
    public void complete() throws IOException {
        out.close();
        Files.move(building, file, StandardCopyOption.ATOMIC_MOVE);
    }

    @Override
    public void close() throws IOException {
        out.close();
        Files.deleteIfExists(building);
    }

    private void line(ObjectNode node) throws IOException {
        out.write(JSON.writeValueAsString(node));
        out.newLine();
    }

    /**
     * Counts attempts by task.
     *
     * @param dataset name of the subset that should have been probed
     * @throws DatasetException when it is no complete dump of that evaluation
     */
    static Map<String, Tally> tallies(Path file, String dataset, int samples)
            throws IOException, DatasetException {
        if (!Files.isRegularFile(file)) {
            throw new DatasetException("probe dump " + file + " does not exist" + REMEDY);
        }
        Map<String, Attempt> attempts = new LinkedHashMap<>();
        // Bytes that are no UTF-8 are replaced, and named as what they are in.
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        int number = 0;
        for (String line : (Iterable<String>) text.lines()::iterator) {
            number++;
            String where = file + ":" + number;
            if (number == 1) {
                check(file, parse(where, line), dataset, samples);
            } else if (!line.isBlank()) {
                note(where, parse(where, line), attempts);
            }
        }
        if (number == 0) {
            throw new DatasetException("probe dump " + file + " is empty" + REMEDY);
        }
        return tallies(file, attempts, samples);
    }

    private record Attempt(String task, boolean solved, boolean gradeable) {}

    private static JsonNode parse(String where, String line) throws DatasetException {
        try {
            return JSON.readTree(line);
        } catch (JsonProcessingException e) {
            throw new DatasetException(
                    "probe dump " + where + " is damaged: " + e.getOriginalMessage() + REMEDY);
        }
    }

    private static void check(Path file, JsonNode head, String dataset, int samples)
            throws DatasetException {
        if (!head.path("evaluation").asBoolean()) {
            throw new DatasetException(
                    "probe dump " + file + " is no dump of an evaluation" + REMEDY);
        }
        String probed = head.path("dataset").asText();
        if (!probed.equals(dataset)) {
            throw new DatasetException(
                    "probe dump " + file + " is of '" + probed + "', not of '" + dataset + "'");
        }
        int made = head.path("n_samples").asInt();
        if (made != samples) {
            throw new DatasetException(
                    "probe dump "
                            + file
                            + " has "
                            + made
                            + " attempts at each task, not "
                            + samples
                            + " (--n-samples)");
        }
    }

    /** Parts of one attempt that were dumped apart count as one. */
    private static void note(String where, JsonNode node, Map<String, Attempt> attempts)
            throws DatasetException {
        String task = RowFields.text(node.path("metadata"), "instance_id");
        String id = task.isBlank() ? RowFields.text(node, "label") : task;
        if (id.isBlank()) {
            throw new DatasetException(
                    "probe dump " + where + " is an attempt without a task" + REMEDY);
        }
        JsonNode solved = node.path("metadata").path("agentic").path("is_solved");
        boolean gradeable = !node.path("remove_sample").asBoolean() && !solved.isMissingNode();
        attempts.merge(
                id + "\n" + node.path("index").asText(),
                new Attempt(id, gradeable && solved.asBoolean(), gradeable),
                (one, other) ->
                        new Attempt(
                                id,
                                one.solved() || other.solved(),
                                one.gradeable() || other.gradeable()));
    }

    private static Map<String, Tally> tallies(Path file, Map<String, Attempt> attempts, int samples)
            throws DatasetException {
        Map<String, Tally> tallies = new TreeMap<>();
        for (Attempt attempt : attempts.values()) {
            tallies.merge(
                    attempt.task(),
                    new Tally(attempt.solved() ? 1 : 0, attempt.gradeable() ? 1 : 0, 1),
                    (one, other) ->
                            new Tally(
                                    one.solved() + other.solved(),
                                    one.gradeable() + other.gradeable(),
                                    one.total() + other.total()));
        }
        for (Map.Entry<String, Tally> entry : tallies.entrySet()) {
            if (entry.getValue().total() != samples) {
                throw new DatasetException(
                        "probe dump "
                                + file
                                + " is not a fixed-sample evaluation dump: "
                                + entry.getKey()
                                + " has "
                                + entry.getValue().total()
                                + " attempts, not "
                                + samples
                                + REMEDY);
            }
        }
        return tallies;
    }
}
