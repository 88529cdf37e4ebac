package dev.millrace.backends.port;

/**
 * A regular file.
 *
 * @param path relative, forward slashes, no {@code ..}
 * @param content its bytes
 * @param executable whether its owner may execute it
 */
public record SandboxFile(String path, byte[] content, boolean executable) {}
