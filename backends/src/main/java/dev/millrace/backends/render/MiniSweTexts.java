package dev.millrace.backends.render;

import dev.millrace.backends.port.ExecResult;
import dev.millrace.udfs.agent.Template;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/** What mini-swe-agent's templates come to. */
final class MiniSweTexts {
    private static final int NONE = -1;

    private final Template system;
    private final Template instance;
    private final Template observation;
    private final Template malformed;
    private final String fence;

    MiniSweTexts(MiniSweSpec spec) {
        MiniSweSpec.Texts texts = spec.texts();
        system = Template.parse("the system template", texts.system());
        instance = Template.parse("the instance template", texts.instance());
        observation = Template.parse("the observation template", texts.observation());
        malformed = Template.parse("the template for malformed turns", texts.malformed());
        fence = spec.fence();
    }

    String system(String task) {
        return system.render(ofTask(task));
    }

    String instance(String task) {
        return instance.render(ofTask(task));
    }

    private Map<String, ?> ofTask(String task) {
        return Map.of(
                "task", task,
                "fence", fence,
                "system", "Linux",
                "release", "",
                "version", "",
                "machine", "x86_64");
    }

    /** Of a command that was run. */
    String observation(ExecResult result) {
        String output = output(result);
        return result.timedOut()
                ? observation(output, NONE, timedOut(result))
                : observation(output, result.exitCode(), "");
    }

    /** Of a command that is not run any more. */
    String unexecuted() {
        return observation("", NONE, "action was not executed");
    }

    private String observation(String output, int exitCode, String exception) {
        return observation.render(
                Map.of(
                        "output",
                        Map.of(
                                "output", output,
                                "returncode", exitCode,
                                "exception_info", exception)));
    }

    /**
     * Of a turn that could not be parsed.
     *
     * @param calls whether it held something like a call
     */
    String malformed(String error, List<String> actions, boolean stopped, boolean calls) {
        String reason = !stopped ? "length" : calls ? "tool_calls" : "stop";
        return malformed.render(
                Map.of(
                        "error", error,
                        "actions", actions,
                        "finish_reason", reason,
                        "has_tool_calls", calls,
                        "fence", fence));
    }

    private static String timedOut(ExecResult result) {
        return "An error occurred while executing the command: it was stopped at its time limit ("
                + result.limitThatFired()
                + ")";
    }

    /** As far as it was kept; where the middle is lost, the output says so. */
    static String output(ExecResult result) {
        byte[] kept = result.output();
        long lost = result.totalOutputBytes() - kept.length;
        if (lost <= 0) {
            return new String(kept, StandardCharsets.UTF_8);
        }
        int half = kept.length / 2;
        return new String(kept, 0, half, StandardCharsets.UTF_8)
                + "\n["
                + lost
                + " bytes were not kept]\n"
                + new String(kept, half, kept.length - half, StandardCharsets.UTF_8);
    }

    /** Fills every template in once, so that one that does not fit is found before a run. */
    void check() {
        system("task");
        instance("task");
        for (String output : List.of("", "text\n", "x".repeat(20_000))) {
            observation(output, 0, "");
            observation(output, NONE, "exception");
        }
        for (boolean each : new boolean[] {true, false}) {
            malformed("error", List.of(), each, !each);
            malformed("error", List.of("one", "two"), each, each);
        }
    }
}
