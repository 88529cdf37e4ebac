package dev.millrace.udfs.model;

/**
 * One problem: a repository, a statement, tests.
 *
 * @param taskId unique in its data set
 * @param uri where the task's Harbor folder lies
 * @param split the part of the data set
 * @param family kind of problem, for reports; may be empty
 */
public record Task(String taskId, String uri, Split split, String family) {}
