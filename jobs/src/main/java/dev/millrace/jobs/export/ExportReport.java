package dev.millrace.jobs.export;

import java.nio.file.Path;

/**
 * What was exported of a run.
 *
 * @param folder where it lies
 * @param attempts all of them
 * @param train those that were played to train
 * @param eval those that were played to measure
 * @param invalid those without a reward that counts
 * @param withoutTrajectory those whose tokens can't be had
 */
public record ExportReport(
        Path folder, long attempts, long train, long eval, long invalid, long withoutTrajectory) {}
