package dev.millrace.jobs.dataset;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/** The report of a check, a line for each task, written as it goes: a check that ended goes on. */
final class CheckReport implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Map<String, TaskState> states = new LinkedHashMap<>();
    private final BufferedWriter out;

    /**
     * Opens a report and what an earlier check has left in it.
     *
     * @param runs of this check; what was found with fewer is found again
     */
    CheckReport(Path file, int runs) throws IOException {
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                read(line, runs);
            }
        }
        out =
                Files.newBufferedWriter(
                        file, StandardOpenOption.CREATE, StandardOpenOption.TRUNCATE_EXISTING);
        for (TaskState state : states.values()) {
            write(state);
        }
    }

    /** A line that a killed check has left half is found again. */
    private void read(String line, int runs) {
        try {
            TaskState state = JSON.readValue(line, TaskState.class);
            if (state.runs() >= runs && state.status() != TaskState.Status.UNKNOWN) {
                states.put(state.instanceId(), state);
            }
        } catch (JsonProcessingException e) {
            org.slf4j.LoggerFactory.getLogger(CheckReport.class)
                    .info("A damaged line of the report is dropped", e);
        }
    }

    synchronized boolean has(String instanceId) {
        return states.containsKey(instanceId);
    }

    synchronized void add(TaskState state) throws IOException {
        states.put(state.instanceId(), state);
        write(state);
    }

    synchronized Collection<TaskState> states() {
        return states.values();
    }

    private void write(TaskState state) throws IOException {
        out.write(JSON.writeValueAsString(state));
        out.newLine();
        out.flush();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
