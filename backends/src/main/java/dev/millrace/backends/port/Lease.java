package dev.millrace.backends.port;

/**
 * The right to one sandbox.
 *
 * @param name unique and known before the sandbox exists: attempt, admission and try
 * @param owner label that a reaper looks for: run, stage and subtask, with slashes between
 * @param fence which opening of the owner asks. Each opening takes a higher number, and so does
 *     each sandbox that replaces another under the same name; whoever comes with a lower number is
 *     an owner of the past and is refused
 * @param ttlMillis the sandbox is ended when nobody has used or renewed it for that long; 0 never
 */
public record Lease(String name, String owner, long fence, long ttlMillis) {

    /** Of an owner that no later one takes over from. */
    public static Lease of(String name, String owner) {
        return new Lease(name, owner, 0, 0);
    }
}
