package dev.millrace.udfs.model;

/**
 * A policy version that can be sampled from.
 *
 * @param version which weights
 * @param uri where a sampler finds them; immutable once published
 */
public record PolicyRef(PolicyVersion version, String uri) {}
