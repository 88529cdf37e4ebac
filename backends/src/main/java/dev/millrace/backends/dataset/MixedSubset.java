package dev.millrace.backends.dataset;

import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.udfs.dataset.MixedSelection;
import dev.millrace.udfs.dataset.MixedSelection.Tally;
import dev.millrace.udfs.dataset.SafeName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Makes the subset of those tasks that a probe found to be mixed, beside the subset it chooses
 * from.
 *
 * @param root folder of the dataset
 * @param source name of the subset to choose from
 * @param recipe what the subset is for; part of its name
 * @param samples attempts at each task
 * @param dump what the probe saw
 * @param checkpoint which policy the probe played
 * @param replace whether an existing subset of that name is replaced
 */
public record MixedSubset(
        Path root,
        String source,
        String recipe,
        int samples,
        Path dump,
        String checkpoint,
        boolean replace) {
    private static final Pattern TRAIN = Pattern.compile("train-(full|4|100|300|1000)");
    private static final int NAMED = 3;
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * What was made.
     *
     * @param name of the subset
     * @param file of its rows
     * @param tasks how many
     */
    public record Made(String name, Path file, int tasks) {}

    /**
     * Makes it, with a file beside it that says how it came about.
     *
     * @throws DatasetException when the source or the dump is refused, when nothing is mixed, or
     *     when the subset exists
     */
    public Made make() throws IOException, DatasetException {
        String slug = SafeName.slug(recipe);
        if (slug.isEmpty()) {
            throw new DatasetException("--recipe '" + recipe + "' has no letter or digit");
        }
        if (!TRAIN.matcher(source).matches()) {
            throw new DatasetException(
                    "--source '"
                            + source
                            + "' is no training subset: train-full, train-4,"
                            + " train-100, train-300 or train-1000");
        }
        String name = source + "-mixed-reward-" + slug + "-n" + samples;
        Path rowsFile = root.resolve(name + ".jsonl");
        Path aboutFile = root.resolve(name + ".json");
        if (!replace && (Files.exists(rowsFile) || Files.exists(aboutFile))) {
            throw new DatasetException(rowsFile + " exists; --replace replaces it");
        }
        SubsetFile subset = subset();
        Map<String, SubsetRow> rows = byId(subset);
        Map<String, Tally> tallies = ProbeDump.tallies(dump, source, samples);
        compare(rows, tallies);
        List<String> selected = MixedSelection.select(tallies, samples);
        if (selected.isEmpty()) {
            throw new DatasetException(
                    "no task of "
                            + source
                            + " is solved by some attempts and not by others;"
                            + " there is nothing to select");
        }
        String text =
                selected.stream()
                        .map(id -> rows.get(id).text() + "\n")
                        .collect(Collectors.joining());
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        write(rowsFile, content);
        write(aboutFile, about(name, subset.sha256(), selected, content));
        return new Made(name, rowsFile, selected.size());
    }

    private SubsetFile subset() throws IOException, DatasetException {
        Path file = root.resolve(source + ".jsonl");
        if (!Files.isRegularFile(file)) {
            throw new DatasetException(
                    "--source: " + file + " does not exist; make it with dataset prepare");
        }
        SubsetFile subset = SubsetFile.read(file);
        if (!subset.rejected().isEmpty()) {
            throw new DatasetException(subset.rejected().get(0).toString());
        }
        return subset;
    }

    private Map<String, SubsetRow> byId(SubsetFile subset) throws DatasetException {
        Map<String, SubsetRow> rows = new LinkedHashMap<>();
        for (SubsetRow row : subset.rows()) {
            String where = source + ".jsonl:" + row.line() + ": ";
            if (row.instanceId().isBlank()) {
                throw new DatasetException(where + "instance_id is blank");
            }
            SubsetRow earlier = rows.put(row.instanceId(), row);
            if (earlier != null) {
                throw new DatasetException(
                        where
                                + "instance_id '"
                                + row.instanceId()
                                + "' is that of line "
                                + earlier.line()
                                + " too");
            }
        }
        return rows;
    }

    private void compare(Map<String, SubsetRow> rows, Map<String, Tally> tallies)
            throws DatasetException {
        TreeSet<String> missing = new TreeSet<>(rows.keySet());
        missing.removeAll(tallies.keySet());
        TreeSet<String> extra = new TreeSet<>(tallies.keySet());
        extra.removeAll(rows.keySet());
        if (!missing.isEmpty() || !extra.isEmpty()) {
            throw new DatasetException(
                    "probe dump "
                            + dump
                            + " is not of the tasks of "
                            + source
                            + ": "
                            + missing.size()
                            + " missing"
                            + some(missing)
                            + ", "
                            + extra.size()
                            + " others"
                            + some(extra));
        }
    }

    private static String some(TreeSet<String> ids) {
        return ids.isEmpty()
                ? ""
                : ids.stream().limit(NAMED).collect(Collectors.joining(", ", " (", ")"));
    }

    private byte[] about(String name, String sourceSha, List<String> selected, byte[] content)
            throws IOException {
        Map<String, Object> about = new TreeMap<>();
        about.put("subset", name);
        about.put("source", source);
        about.put("source_sha256", sourceSha);
        about.put("recipe", recipe);
        about.put("checkpoint", checkpoint);
        about.put("n_samples", samples);
        about.put("criterion", MixedSelection.CRITERION);
        about.put("probe_dump", dump.toString());
        about.put("selected_instance_ids", selected);
        about.put("sha256", Digests.sha256(content));
        DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
        DefaultPrettyPrinter printer =
                new DefaultPrettyPrinter(
                                Separators.createDefaultInstance()
                                        .withObjectFieldValueSpacing(Separators.Spacing.AFTER))
                        .withArrayIndenter(indenter)
                        .withObjectIndenter(indenter);
        return (JSON.writer(printer).writeValueAsString(about) + "\n")
                .getBytes(StandardCharsets.UTF_8);
    }

    private static void write(Path file, byte[] content) throws IOException {
        Path part = file.resolveSibling(file.getFileName() + ".part");
        Files.write(part, content);
        Files.move(part, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
