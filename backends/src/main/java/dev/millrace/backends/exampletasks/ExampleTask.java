package dev.millrace.backends.exampletasks;

import dev.millrace.udfs.model.Split;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A tiny repository with one defect, and what tells whether it is repaired.
 *
 * @param id unique in its data set, for instance {@code train-0007-module}
 * @param split the part of the data set
 * @param family kind of defect
 * @param instruction what the agent is told; says nothing about the defect
 * @param repository content by path below the working directory
 * @param repair a shell command that repairs it, run in the working directory
 * @param check Python program that fails before the repair and passes after it
 */
public record ExampleTask(
        String id,
        Split split,
        String family,
        String instruction,
        SortedMap<String, String> repository,
        String repair,
        String check) {

    /**
     * All files of the Harbor folder, content by path; those ending in {@code .sh} are programs.
     */
    public SortedMap<String, String> files() {
        SortedMap<String, String> files = new TreeMap<>();
        files.put("task.toml", HarborText.taskToml(id, family));
        files.put("instruction.md", instruction + "\n");
        files.put("environment/Dockerfile", HarborText.DOCKERFILE);
        for (Map.Entry<String, String> file : repository.entrySet()) {
            files.put("environment/repo/" + file.getKey(), file.getValue());
        }
        files.put("solution/solve.sh", HarborText.solution(repair));
        files.put("tests/test.sh", HarborText.TEST_SCRIPT);
        files.put("tests/check.py", check);
        return files;
    }
}
