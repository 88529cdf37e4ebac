package dev.millrace.pipeline.settings;

/**
 * Where a value was written.
 *
 * @param layer position of its text among all texts; a later one wins
 * @param source file name or option
 * @param line from 1; 0 when the source has no lines
 */
record Origin(int layer, String source, int line) implements Comparable<Origin> {

    @Override
    public int compareTo(Origin other) {
        int byLayer = Integer.compare(layer, other.layer);
        return byLayer != 0 ? byLayer : Integer.compare(line, other.line);
    }

    @Override
    public String toString() {
        return line > 0 ? source + ":" + line : source;
    }
}
