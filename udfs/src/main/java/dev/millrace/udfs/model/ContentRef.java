package dev.millrace.udfs.model;

/**
 * Points at bytes that are written once and never overwritten.
 *
 * @param uri where they lie
 * @param bytes their length
 * @param sha256 lower-case hex digest of the bytes
 */
public record ContentRef(String uri, long bytes, String sha256) {}
