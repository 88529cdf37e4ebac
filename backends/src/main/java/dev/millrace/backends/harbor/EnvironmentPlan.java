package dev.millrace.backends.harbor;

import dev.millrace.backends.port.SandboxFile;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a fresh sandbox becomes a task's environment.
 *
 * @param image reference of its image for the provider; empty for the provider's own tool chain
 * @param user of the image who runs the agent's commands and the tests; empty means as it says
 * @param workdir absolute path
 * @param environment variables of every command
 * @param steps in order
 * @param buildTimeoutMillis for all steps together
 */
public record EnvironmentPlan(
        String image,
        String user,
        String workdir,
        Map<String, String> environment,
        List<Step> steps,
        long buildTimeoutMillis) {

    private static final long CHEAP_BYTES = 1 << 20;

    /**
     * One step: files to write, or a command to run.
     *
     * @param line of the Dockerfile; 0 when there is none
     * @param files paths from the root, without the leading slash; empty for a command
     * @param command shell text; empty for files
     * @param workdir where the command runs
     * @param environment variables set so far
     */
    public record Step(
            int line,
            List<SandboxFile> files,
            String command,
            String workdir,
            Map<String, String> environment) {

        boolean isCommand() {
            return !command.isEmpty();
        }
    }

    /** Whether commands take part, so that the result is more than the files written. */
    boolean hasCommands() {
        return steps.stream().anyMatch(Step::isCommand);
    }

    /** Whether carrying it out takes long enough to keep the result. */
    boolean isCostly() {
        return hasCommands()
                || steps.stream()
                                .flatMap(step -> step.files().stream())
                                .mapToLong(file -> file.content().length)
                                .sum()
                        > CHEAP_BYTES;
    }

    /** Whether it is made on an image, with other rights than those of the agent. */
    boolean hasImage() {
        return !image.isEmpty();
    }

    /** The same with other variables. */
    EnvironmentPlan with(Map<String, String> variables) {
        return new EnvironmentPlan(image, user, workdir, variables, steps, buildTimeoutMillis);
    }

    /** Files that the steps write to the working folder, by their paths in it; commands aside. */
    List<SandboxFile> workdirFiles() {
        String prefix = workdir.substring(1) + "/";
        Map<String, SandboxFile> last = new TreeMap<>();
        for (Step step : steps) {
            for (SandboxFile file : step.files()) {
                if (file.path().startsWith(prefix)) {
                    String path = file.path().substring(prefix.length());
                    last.put(path, new SandboxFile(path, file.content(), file.executable()));
                }
            }
        }
        return List.copyOf(last.values());
    }
}
