package dev.millrace.udfs.model;

/**
 * One problem: a repository, a statement, tests.
 *
 * @param taskId unique in its data set
 * @param uri where the task's Harbor folder lies
 * @param split the part of the data set
 * @param family kind of problem, for reports; may be empty
 * @param row where it was read from a topic of rows, null when it was not
 */
public record Task(String taskId, String uri, Split split, String family, RowPosition row) {

    /** A task of a catalogue. */
    public Task(String taskId, String uri, Split split, String family) {
        this(taskId, uri, split, family, null);
    }

    /** The same, as a row of a topic. */
    public Task at(RowPosition position) {
        return new Task(taskId, uri, split, family, position);
    }
}
