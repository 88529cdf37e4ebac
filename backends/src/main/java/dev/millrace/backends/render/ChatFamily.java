package dev.millrace.backends.render;

/**
 * Model families, by how they write conversations down. The wording of the instructions about tools
 * is part of the models' chat templates (Qwen, Apache License 2.0): other words are another prompt
 * than the one the models were trained with.
 */
public enum ChatFamily {
    /** Tool calls are JSON objects, the system text stands before the tools, thinking is open. */
    QWEN3(new Style(false, false, "")),
    /** Tool calls are XML, the system text stands after the tools, the turn begins thinking. */
    QWEN3_5(new Style(true, true, "<think>\n")),
    /** As QWEN3_5. */
    QWEN3_6(new Style(true, true, "<think>\n"));

    private final Style style;

    ChatFamily(Style style) {
        this.style = style;
    }

    /** How it differs. */
    Style style() {
        return style;
    }

    /**
     * How a family writes.
     *
     * @param xmlCalls whether tool calls are XML, else JSON
     * @param trims whether texts lose the blanks at both ends, and tools come before the system
     *     text
     * @param opening what a turn of the model begins with
     */
    record Style(boolean xmlCalls, boolean trims, String opening) {}
}
