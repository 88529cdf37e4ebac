package dev.millrace.jobs.export;

import dev.millrace.udfs.model.PolicyVersion;

/**
 * Names of policy versions: attempts of one version are compared with each other, not with those of
 * another.
 *
 * @param runId the run that trained them
 */
record ModelNames(String runId) {
    static final String PROVIDER = "millrace";

    String of(PolicyVersion version) {
        return runId + "-" + version;
    }
}
