package dev.millrace.udfs.model;

/**
 * The policy has ended a step of a task that has several.
 *
 * @param workspace the files as they were then
 * @param over whether the attempt ends with it, though there are more steps
 */
public record StepEnd(ContentRef workspace, boolean over) {}
