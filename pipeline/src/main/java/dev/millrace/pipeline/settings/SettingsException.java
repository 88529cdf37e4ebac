package dev.millrace.pipeline.settings;

import java.util.List;
import java.util.stream.Collectors;

/** The settings are refused, with everything that is wrong about them. */
public final class SettingsException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<Problem> problems;

    /** With all problems, in the order of the text. */
    public SettingsException(List<Problem> problems) {
        super(problems.stream().map(Problem::toString).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** All problems, in the order of the text. */
    public List<Problem> problems() {
        return problems;
    }
}
