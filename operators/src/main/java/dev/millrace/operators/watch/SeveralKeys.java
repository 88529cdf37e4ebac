package dev.millrace.operators.watch;

import java.util.function.Consumer;

/**
 * A keyed function that keeps state under other keys than that of the record it has at hand. All of
 * them must lie in the key groups of its subtask, as they do at parallelism 1.
 */
public interface SeveralKeys {
    /**
     * Called before the function is opened.
     *
     * @param switcher makes a key the current one, until the next record
     */
    void switchKeysBy(Consumer<String> switcher);
}
