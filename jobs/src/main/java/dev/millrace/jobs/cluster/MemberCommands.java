package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessSpec;
import org.apache.flink.runtime.clusterframework.TaskExecutorProcessUtils;
import org.apache.flink.runtime.entrypoint.StandaloneSessionClusterEntrypoint;
import org.apache.flink.runtime.jobmanager.JobManagerProcessSpec;
import org.apache.flink.runtime.jobmanager.JobManagerProcessUtils;
import org.apache.flink.runtime.taskexecutor.TaskManagerRunner;
import org.apache.flink.runtime.util.config.memory.ProcessMemoryUtils;

/** Commands of the members: each with a folder of its own below the cluster's. */
final class MemberCommands {
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Path folder;

    MemberCommands(Path folder) {
        this.folder = folder;
    }

    /** What a member prints before it logs, and when it dies. */
    Path output(String name) {
        return folder.resolve(name + ".out");
    }

    /** Short-lived files of a member. */
    Path temporary(String name) {
        return folder.resolve("tmp").resolve(name);
    }

    List<String> broker(String name, Path data, int port) throws IOException {
        return ChildProcess.java(
                options(name, List.of("-Xmx384m", "-Xms64m")),
                List.of(BrokerMain.class.getName(), data.toString(), Integer.toString(port)));
    }

    List<String> jobManager(String name, Configuration configuration) throws IOException {
        JobManagerProcessSpec memory = JobManagerProcessUtils.processSpecFromConfig(configuration);
        return ChildProcess.java(
                options(
                        name,
                        words(
                                JobManagerProcessUtils.generateJvmParametersStr(
                                        memory, configuration))),
                List.of(
                        StandaloneSessionClusterEntrypoint.class.getName(),
                        "--configDir",
                        write(name, configuration).toString(),
                        "--executionMode",
                        "cluster"));
    }

    List<String> taskManager(String name, Configuration configuration) throws IOException {
        TaskExecutorProcessSpec memory =
                TaskExecutorProcessUtils.processSpecFromConfig(configuration);
        List<String> main =
                new ArrayList<>(
                        List.of(
                                TaskManagerRunner.class.getName(),
                                "--configDir",
                                write(name, configuration).toString()));
        main.addAll(words(TaskExecutorProcessUtils.generateDynamicConfigsStr(memory)));
        return ChildProcess.java(
                options(name, words(ProcessMemoryUtils.generateJvmParametersStr(memory))), main);
    }

    /**
     * Members live for one run on a machine that they share: the optimising compiler and a
     * concurrent collector would only take the processor from the run.
     */
    private List<String> options(String name, List<String> memory) throws IOException {
        Path temporary = Files.createDirectories(temporary(name));
        Path log = folder.resolve(name + ".log");
        List<String> options = new ArrayList<>(memory);
        options.addAll(inherited());
        options.add("-XX:+UseSerialGC");
        options.add("-XX:TieredStopAtLevel=1");
        options.add("-Djava.io.tmpdir=" + temporary);
        // Flink's own option for it goes to a key that Pekko no longer reads, and a machine under
        // load takes longer than the 10 s that are left.
        options.add("-Dpekko.remote.classic.startup-timeout=120s");
        options.add("-Dlog4j2.configurationFile=classpath:log4j2.properties");
        options.add("-Dmillrace.log=" + log);
        options.add("-Dlog.file=" + log);
        return options;
    }

    /** What opens the platform's packages, and this process's properties but for its log. */
    private static List<String> inherited() {
        List<String> inherited = new ArrayList<>();
        for (String option : ManagementFactory.getRuntimeMXBean().getInputArguments()) {
            boolean property = option.startsWith("-D") && !option.startsWith("-Dlog");
            if (property || option.startsWith("--add-opens")) {
                inherited.add(option);
            }
        }
        return inherited;
    }

    /** Flink reads one file of this name in the folder that it is given. */
    private Path write(String name, Configuration configuration) throws IOException {
        Path conf = Files.createDirectories(folder.resolve("conf").resolve(name));
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, String> each : new TreeMap<>(configuration.toMap()).entrySet()) {
            lines.add(each.getKey() + ": " + JSON.writeValueAsString(each.getValue()));
        }
        Files.write(conf.resolve("config.yaml"), lines);
        return conf;
    }

    private static List<String> words(String text) {
        return Arrays.stream(text.split(" ", -1)).filter(word -> !word.isEmpty()).toList();
    }
}
