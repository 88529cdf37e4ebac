package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Captured files of all steps of an attempt in one list, each step's below a folder of its own. */
final class StepFiles {
    private static final Pattern PLACE =
            Pattern.compile("\\.steps/([0-9]{1,4})/(.+)", Pattern.DOTALL);
    private static final String HERE = ".steps/";

    private StepFiles() {}

    /** In order of the steps. */
    static List<SandboxFile> join(List<List<SandboxFile>> steps) {
        List<SandboxFile> joined = new ArrayList<>();
        for (int i = 0; i < steps.size(); i++) {
            // A step that left nothing is one that was played, too.
            joined.add(new SandboxFile(HERE + i + "/.played", new byte[0], false));
            for (SandboxFile file : steps.get(i)) {
                String path = HERE + i + "/files/" + file.path();
                joined.add(new SandboxFile(path, file.content(), file.executable()));
            }
        }
        return List.copyOf(joined);
    }

    /** What was joined; as many as were played. */
    static List<List<SandboxFile>> split(List<SandboxFile> joined) {
        List<List<SandboxFile>> steps = new ArrayList<>();
        for (SandboxFile file : joined) {
            Matcher place = PLACE.matcher(file.path());
            if (place.matches()) {
                int step = Integer.parseInt(place.group(1));
                while (steps.size() <= step) {
                    steps.add(new ArrayList<>());
                }
                if (place.group(2).startsWith("files/")) {
                    String path = place.group(2).substring("files/".length());
                    steps.get(step).add(new SandboxFile(path, file.content(), file.executable()));
                }
            }
        }
        return steps;
    }
}
