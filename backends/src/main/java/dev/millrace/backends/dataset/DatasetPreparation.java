package dev.millrace.backends.dataset;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.DatasetRow;
import dev.millrace.udfs.dataset.RowFilter;
import dev.millrace.udfs.dataset.RowKey;
import dev.millrace.udfs.dataset.SafeName;
import dev.millrace.udfs.dataset.SubsetPlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Turns published rows into a dataset: task folders, converted rows, subsets. Rows are read once
 * and one at a time; of each only its key stays in memory. The result is there whole or not at all.
 */
public final class DatasetPreparation {
    /** File of all converted rows. */
    public static final String ALL = "all.converted";

    /** File of what was not converted, with file, line and reason. */
    public static final String REJECTED = "rejected.jsonl";

    /** Folder of the tasks. */
    public static final String TASKS = "tasks";

    private static final int PROGRESS_EVERY = 500;
    private static final int KEPT_REJECTIONS = 100_000;
    private static final String MALFORMED = "malformed row";

    /** Most file systems have names of at most 255 bytes. */
    private static final int LONGEST_NAME = 200;

    private static final List<String> WITH_DETAILS =
            List.of(
                    MALFORMED,
                    SourceTree.NO_REPOSITORY,
                    SourceTree.NO_COMMIT,
                    RowFilter.NO_COMMAND);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final PreparationRequest request;
    private final Consumer<String> progress;
    private final List<RowKey> keys = new ArrayList<>();
    private final Set<String> names = new HashSet<>();
    private final Map<String, Long> rejections = new TreeMap<>();
    private long rows;

    /**
     * @param progress takes a line now and then
     */
    public DatasetPreparation(PreparationRequest request, Consumer<String> progress) {
        this.request = request;
        this.progress = progress;
    }

    /**
     * Prepares it.
     *
     * @throws EmptyDatasetException when no row becomes a task; nothing is written then
     */
    public PreparationReport run() throws IOException, EmptyDatasetException {
        Map<String, Integer> subsets = new LinkedHashMap<>();
        try (DatasetRoot root = new DatasetRoot(request.root())) {
            Path folder = root.folder();
            try (LineFile all = new LineFile(folder.resolve(ALL + ".jsonl"));
                    LineFile rejected = new LineFile(folder.resolve(REJECTED));
                    FolderWriters writers = new FolderWriters()) {
                convert(folder, all, rejected, writers);
                writers.await();
                if (keys.isEmpty()) {
                    throw new EmptyDatasetException(report(subsets));
                }
                for (Map.Entry<String, int[]> subset :
                        SubsetPlan.of(keys, request.seed()).entrySet()) {
                    all.copy(subset.getValue(), folder.resolve(subset.getKey() + ".jsonl"));
                    subsets.put(subset.getKey(), subset.getValue().length);
                }
            }
            describe(folder.resolve(ALL + ".json"));
            root.commit();
        }
        return report(subsets);
    }

    private void convert(Path folder, LineFile all, LineFile rejected, FolderWriters writers)
            throws IOException {
        for (Path source : request.sources()) {
            try (RowFile file = RowFile.open(source)) {
                Optional<SourceRow> next = file.next();
                while (next.isPresent() && !full()) {
                    Optional<String> reason = convert(next.get(), folder, all, writers);
                    if (reason.isPresent()) {
                        reject(next.get(), reason.get(), rejected);
                    }
                    rows++;
                    if (rows % PROGRESS_EVERY == 0) {
                        progress.accept(rows + " rows read, " + keys.size() + " tasks");
                    }
                    next = file.next();
                }
            }
        }
    }

    private boolean full() {
        return request.limit() > 0 && keys.size() >= request.limit();
    }

    /** Why a row becomes no task; nothing when it does. */
    private Optional<String> convert(
            SourceRow source, Path folder, LineFile all, FolderWriters writers) throws IOException {
        if (source.content() == null) {
            return Optional.of(MALFORMED + ": " + source.problem());
        }
        DatasetRow row;
        try {
            row = request.format().read(source.content(), request.commands());
        } catch (RowException e) {
            return Optional.of(MALFORMED + ": " + e.getMessage());
        }
        Optional<String> rejection = request.filter().rejection(row);
        if (rejection.isPresent()) {
            return rejection.map(reason -> explained(reason, row));
        }
        String name = SafeName.ofTask(row.instanceId());
        if (name.length() > LONGEST_NAME) {
            return Optional.of(MALFORMED + ": 'instance_id' is longer than " + LONGEST_NAME);
        }
        if (request.repositories() != null) {
            Optional<String> problem = SourceTree.problem(request.repositories(), row);
            if (problem.isPresent()) {
                return problem;
            }
        }
        if (!names.add(name)) {
            return Optional.of("duplicate instance_id");
        }
        String path = request.root().getFileName() + "/" + TASKS + "/" + name;
        all.append(ConvertedRow.line(row, name, path));
        keys.add(RowKey.of(row));
        writers.write(() -> write(row, name, folder.resolve(TASKS).resolve(name)));
        return Optional.empty();
    }

    private static String explained(String reason, DatasetRow row) {
        return row.quality() == null && reason.equals(RowFilter.NO_COMMAND)
                ? "%s: none is known for %s %s; --test-commands can give one"
                        .formatted(reason, row.repo(), row.version())
                : reason;
    }

    private void write(DatasetRow row, String name, Path folder) throws IOException {
        TaskFolderWriter.write(row, name, folder);
        if (request.repositories() != null) {
            SourceTree.export(request.repositories(), row, folder.resolve("environment"));
        }
    }

    /** Counted by reason without its details; the file has them. */
    private void reject(SourceRow row, String reason, LineFile rejected) throws IOException {
        String kind = WITH_DETAILS.stream().filter(reason::startsWith).findFirst().orElse(reason);
        long count = rejections.merge(kind, 1L, Long::sum);
        if (count <= KEPT_REJECTIONS) {
            ObjectNode line = JSON.createObjectNode();
            line.put("file", row.file().toString());
            line.put("line", row.line());
            line.put("reason", reason);
            rejected.append(JSON.writeValueAsString(line));
        }
    }

    private void describe(Path file) throws IOException {
        ObjectNode about = JSON.createObjectNode();
        about.put("hf_repo", request.origin().repository());
        about.put("split", request.origin().split());
        about.put("revision", request.origin().revision());
        about.put("translator_revision", "millrace");
        about.put("min_grade", request.filter().minGrade());
        about.put("limit", request.limit() == 0 ? null : request.limit());
        about.put("seed", request.seed());
        about.put("eval_fraction", SubsetPlan.EVAL_FRACTION);
        ObjectNode counts = about.putObject("rejected");
        rejections.forEach(counts::put);
        Files.writeString(
                file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(about) + "\n");
    }

    private PreparationReport report(Map<String, Integer> subsets) {
        return new PreparationReport(rows, keys.size(), Map.copyOf(rejections), subsets);
    }
}
