package dev.millrace.backends.dataset;

/** No row became a task. */
public final class EmptyDatasetException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient PreparationReport report;

    EmptyDatasetException(PreparationReport report) {
        super("none of " + report.rows() + " rows becomes a task: " + report.rejections());
        this.report = report;
    }

    /** Why not. */
    public PreparationReport report() {
        return report;
    }
}
