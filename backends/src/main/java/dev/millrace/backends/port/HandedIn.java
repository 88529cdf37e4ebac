package dev.millrace.backends.port;

/**
 * What a command handed in as the end of an attempt's work.
 *
 * @param content byte for byte, or null when it is more than may be handed in
 */
public record HandedIn(byte[] content) {}
