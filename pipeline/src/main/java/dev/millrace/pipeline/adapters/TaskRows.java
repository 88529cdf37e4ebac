package dev.millrace.pipeline.adapters;

import dev.millrace.backends.dataset.RowException;
import dev.millrace.backends.dataset.SubsetRow;
import dev.millrace.operators.admission.RowDecoder;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Training tasks of a topic: each record is a row as the subsets of a prepared dataset have them.
 * Whether the task's folder is there is seen where it is played.
 *
 * @param root absolute folder that the rows' task paths lie below, on every machine
 */
public record TaskRows(String root) implements RowDecoder {
    @Override
    public Task task(byte[] value) {
        SubsetRow row;
        try {
            row = SubsetRow.parse(0, new String(value, StandardCharsets.UTF_8));
        } catch (RowException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        if (row.instanceId().isBlank()) {
            throw new IllegalArgumentException("instance_id is blank");
        }
        if (row.taskPath().isBlank()) {
            throw new IllegalArgumentException("task_path is missing");
        }
        Path above = Path.of(root).normalize();
        Path folder = above.resolve(row.taskPath()).normalize();
        if (!folder.startsWith(above) || folder.equals(above)) {
            throw new IllegalArgumentException("task_path leaves tasks.root");
        }
        return new Task(row.instanceId(), uri(folder), Split.TRAIN, row.category());
    }

    /** Without a look at the folder, which a path's own conversion takes. */
    private static String uri(Path folder) {
        try {
            return new URI("file", null, folder.toString(), null).toString();
        } catch (URISyntaxException e) {
            throw new IllegalArgumentException("task_path is no path", e);
        }
    }
}
