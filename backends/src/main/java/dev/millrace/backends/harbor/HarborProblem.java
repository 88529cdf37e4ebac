package dev.millrace.backends.harbor;

/**
 * One thing that keeps a task from being used.
 *
 * @param file where
 * @param key which key or line of it, or empty
 * @param message what is wrong
 * @param remedy what to do about it
 */
public record HarborProblem(String file, String key, String message, String remedy) {

    /** In one line. */
    public String describe() {
        String where = key.isEmpty() ? file : file + ": " + key;
        return where + ": " + message + "; " + remedy;
    }
}
