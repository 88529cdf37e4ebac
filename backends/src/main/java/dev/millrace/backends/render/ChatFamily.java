package dev.millrace.backends.render;

/**
 * Model families, by how they write conversations down. The wording of the instructions about tools
 * is part of the models' chat templates (Qwen, Apache License 2.0): other words are another prompt
 * than the one the models were trained with.
 */
public enum ChatFamily {
    /** Tool calls are JSON objects, the system text stands before the tools. */
    QWEN3(false, ""),
    /** Tool calls are XML, the system text stands after the tools, a turn begins with thinking. */
    QWEN3_5(true, "<think>\n"),
    /** As QWEN3_5. */
    QWEN3_6(true, "<think>\n");

    private static final String NO_THOUGHTS = "<think>\n\n</think>\n\n";

    private final boolean xml;
    private final String opening;

    ChatFamily(boolean xml, String opening) {
        this.xml = xml;
        this.opening = opening;
    }

    /**
     * Whether tool calls are XML, tools come before the system text, and texts lose the blanks at
     * both ends; else calls are JSON.
     */
    boolean xml() {
        return xml;
    }

    /** What a turn of the model begins with; where it is not to think, with thoughts of nothing. */
    String opening(boolean thinking) {
        return thinking ? opening : NO_THOUGHTS;
    }
}
