package dev.millrace.udfs.model;

/**
 * What an attempt left behind; its sandbox is gone.
 *
 * @param workspace the files it left, or null when there are none to grade
 * @param trajectory its tokens, mask, log-probabilities and versions
 */
public record Captured(ContentRef workspace, ContentRef trajectory) {}
