package dev.millrace.pipeline.settings;

/**
 * One thing that is wrong with the settings.
 *
 * @param where file and line, or the command-line option
 * @param key full key, empty when the text as a whole is wrong
 * @param message what is wrong and what to do
 */
public record Problem(String where, String key, String message) {

    @Override
    public String toString() {
        return key.isEmpty() ? where + ": " + message : where + ": " + key + ": " + message;
    }
}
