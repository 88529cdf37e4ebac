package dev.millrace.jobs.export;

/** Hears how far an export has come. */
public interface ExportProgress {
    /**
     * Another attempt is written.
     *
     * @param done attempts of this run that are
     * @param total all of them
     */
    void attempt(long done, long total);
}
