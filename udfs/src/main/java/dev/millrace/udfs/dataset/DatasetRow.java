package dev.millrace.udfs.dataset;

import java.util.List;

/**
 * A row of a dataset of repairs, whichever dataset it is from. Absent texts are empty.
 *
 * @param instanceId name of the row
 * @param repo {@code Org/Name}
 * @param baseCommit what the repair starts from
 * @param patch the repair that was made, a diff
 * @param testPatch tests that show it, a diff
 * @param problemStatement what the agent reads
 * @param failToPass tests that the repair makes pass
 * @param passToPass tests that pass before and after
 * @param language as the row says it
 * @param license of the repository
 * @param createdAt as the row says it
 * @param version of the repository, which may choose its environment
 * @param environmentSetupCommit of the repository, which may choose its environment
 * @param hints said to the agent by datasets that give any
 * @param imageName image with the repository and its dependencies
 * @param workdir where the image has the repository
 * @param testCommand shell text
 * @param logParser name of what reads the test command's output
 * @param installConfig as the row has it, JSON
 * @param quality what was found out about the row; null where a dataset grades none
 */
public record DatasetRow(
        String instanceId,
        String repo,
        String baseCommit,
        String patch,
        String testPatch,
        String problemStatement,
        List<String> failToPass,
        List<String> passToPass,
        String language,
        String license,
        String createdAt,
        String version,
        String environmentSetupCommit,
        String hints,
        String imageName,
        String workdir,
        String testCommand,
        String logParser,
        String installConfig,
        RowQuality quality) {}
