package dev.millrace.backends.harbor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads the texts of a task. */
final class TaskText {
    private static final String BYTE_ORDER_MARK = "\ufeff";

    private TaskText() {}

    /** What the agent is to do; without a word in it nobody is asked anything. */
    static String instruction(Path file, List<HarborProblem> problems) {
        int before = problems.size();
        String text = Canary.strip(read(file, problems));
        if (text.isBlank() && problems.size() == before) {
            problems.add(problem(file, "says nothing", "write what is to be done"));
        }
        return text;
    }

    static String read(Path file, List<HarborProblem> problems) {
        try {
            String text = Files.readString(file);
            return text.startsWith(BYTE_ORDER_MARK) ? text.substring(1) : text;
        } catch (IOException e) {
            problems.add(problem(file, "can't be read as text", "write the file, in UTF-8"));
            return "";
        }
    }

    private static HarborProblem problem(Path file, String message, String remedy) {
        return new HarborProblem(file.toString(), "", message, remedy);
    }
}
