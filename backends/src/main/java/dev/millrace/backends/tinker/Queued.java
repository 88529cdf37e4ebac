package dev.millrace.backends.tinker;

/**
 * An operation that the server has taken.
 *
 * @param requestId what its result is asked for by
 * @param type of the operation
 */
record Queued(String requestId, String type) {}
