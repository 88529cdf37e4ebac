package dev.millrace.backends.dataset;

/**
 * A line of a subset that is no task.
 *
 * @param file it is in
 * @param line of the file; the first is 1
 * @param reason why it is none
 */
public record RejectedRow(String file, long line, String reason) {
    @Override
    public String toString() {
        return file + ":" + line + ": " + reason;
    }
}
