package dev.millrace.backends.harbor;

import java.util.List;
import java.util.stream.Collectors;

/** A task or a folder of tasks can't be used; all problems that were found are in it. */
public final class HarborTaskException extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient List<HarborProblem> problems;

    /** All problems found, at least one. */
    public HarborTaskException(List<HarborProblem> problems) {
        super(problems.stream().map(HarborProblem::describe).collect(Collectors.joining("\n")));
        this.problems = List.copyOf(problems);
    }

    /** What was found, in the order of finding. */
    public List<HarborProblem> problems() {
        return problems;
    }
}
