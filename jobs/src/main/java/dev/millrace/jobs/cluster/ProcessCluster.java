package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.jobs.launch.FreePort;
import dev.millrace.pipeline.topology.RunPlan;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * A Kafka broker, a JobManager and TaskManagers, each a process of this machine with this process's
 * class path. They end when this process does, however it ends. There is no high availability: a
 * JobManager that was lost knows no job, see {@link ClusterJob#resubmit}.
 *
 * <p>In its folder lie {@code <member>.log} and {@code <member>.out}, {@code kafka} with the
 * broker's data, {@code checkpoints}, {@code savepoints} and {@code conf}; they stay.
 */
public final class ProcessCluster implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final long POLL_MILLIS = 100;
    private static final String BROKER = "broker";
    private static final String JOB_MANAGER = "jobmanager";

    private final Path folder;
    private final String bootstrap;
    private final String webUi;
    private final ClusterRest rest;
    private final Configuration client;
    private final ChildProcess broker;
    private final ChildProcess jobManager;
    private final List<ChildProcess> taskManagers = new ArrayList<>();

    private ProcessCluster(Path folder, ClusterShape shape) throws IOException {
        this.folder = folder;
        Iterator<Integer> ports = FreePort.any(3 + 2 * shape.taskManagers()).iterator();
        int kafkaPort = ports.next();
        int restPort = ports.next();
        ClusterConfiguration configuration =
                new ClusterConfiguration(shape, ports.next(), restPort);
        this.bootstrap = "127.0.0.1:" + kafkaPort;
        this.webUi = "http://127.0.0.1:" + restPort;
        this.rest = new ClusterRest(webUi);
        this.client = configuration.client();
        MemberCommands commands = new MemberCommands(folder);
        this.broker =
                new ChildProcess(
                        BROKER,
                        commands.broker(BROKER, folder.resolve("kafka"), kafkaPort),
                        commands.output(BROKER),
                        member -> await(member, () -> listens(kafkaPort)));
        Configuration own = configuration.jobManager(commands.temporary(JOB_MANAGER).toString());
        this.jobManager =
                new ChildProcess(
                        JOB_MANAGER,
                        commands.jobManager(JOB_MANAGER, own),
                        commands.output(JOB_MANAGER),
                        member -> await(member, this::restIsUp));
        for (int i = 1; i <= shape.taskManagers(); i++) {
            String name = "taskmanager-" + i;
            taskManagers.add(taskManager(name, configuration, commands, ports));
        }
    }

    private static ChildProcess taskManager(
            String name,
            ClusterConfiguration configuration,
            MemberCommands commands,
            Iterator<Integer> ports)
            throws IOException {
        Configuration own =
                configuration.taskManager(
                        name, ports.next(), ports.next(), commands.temporary(name).toString());
        return new ChildProcess(
                name, commands.taskManager(name, own), commands.output(name), member -> {});
    }

    /**
     * Starts all members, and waits until the broker and the JobManager answer and all TaskManagers
     * have registered.
     *
     * @param folder of this cluster alone; made when it isn't there
     * @throws IllegalStateException when a member doesn't come up; says what it printed
     */
    public static ProcessCluster start(Path folder, ClusterShape shape) {
        try {
            Path root = folder.toAbsolutePath().normalize();
            Files.createDirectories(root);
            ProcessCluster cluster = new ProcessCluster(root, shape);
            try {
                cluster.start();
            } catch (RuntimeException e) {
                cluster.close();
                throw e;
            }
            return cluster;
        } catch (IOException e) {
            throw new UncheckedIOException("The cluster can't use its folder " + folder, e);
        }
    }

    /** Where clients find the broker, {@code host:port}. */
    public String bootstrapServers() {
        return bootstrap;
    }

    /** Address of the web UI and of REST, {@code http://host:port}. */
    public String webUi() {
        return webUi;
    }

    /** The process that holds the topics. */
    public Member broker() {
        return broker;
    }

    /** The process that schedules tasks and triggers checkpoints. */
    public Member jobManager() {
        return jobManager;
    }

    /** The processes that run tasks; their names are their resource ids in the web UI. */
    public List<Member> taskManagers() {
        return List.copyOf(taskManagers);
    }

    /**
     * Builds the job of a run and starts it here.
     *
     * @param plan reaches the broker at {@link #bootstrapServers}
     * @param restoreFrom URI or path of a checkpoint or savepoint
     * @throws JobManagerAway when no JobManager takes it
     */
    public ClusterJob submit(RunPlan plan, Optional<String> restoreFrom) {
        return submit(plan, restoreFrom, env -> {});
    }

    /**
     * Builds the job of a run, with something of its own besides, and starts it here.
     *
     * @param plan reaches the broker at {@link #bootstrapServers}
     * @param restoreFrom URI or path of a checkpoint or savepoint
     * @param addition adds operators to the run's graph; the job keeps them when it is resubmitted
     * @throws JobManagerAway when no JobManager takes it
     */
    public ClusterJob submit(
            RunPlan plan,
            Optional<String> restoreFrom,
            Consumer<StreamExecutionEnvironment> addition) {
        return ClusterJob.submit(
                new ClusterJob.Place(
                        client, rest, folder.resolve("checkpoints"), folder.resolve("savepoints")),
                plan,
                restoreFrom,
                addition,
                List.of());
    }

    /** Waits until the JobManager knows every TaskManager that is alive. */
    public void awaitTaskManagers() {
        for (ChildProcess member : taskManagers) {
            if (member.alive()) {
                await(member, () -> registered().contains(member.name()));
            }
        }
    }

    /** Ends all members and waits until they are gone. */
    @Override
    public void close() {
        List<ChildProcess> all = new ArrayList<>(taskManagers);
        all.add(jobManager);
        all.forEach(ChildProcess::end);
        all.forEach(ChildProcess::awaitEnd);
        // Last: what ends before it still talks to it.
        broker.end();
        broker.awaitEnd();
        FolderRemoval.remove(folder.resolve("tmp"));
    }

    private void start() {
        broker.start();
        jobManager.start();
        taskManagers.forEach(ChildProcess::start);
        broker.awaitReady();
        jobManager.awaitReady();
        awaitTaskManagers();
        for (ChildProcess member : taskManagers) {
            if (!member.alive()) {
                throw new IllegalStateException(
                        member.name() + " has ended while starting:\n" + member.lastOutput());
            }
        }
    }

    private boolean restIsUp() {
        try {
            return rest.get("/overview").has("taskmanagers");
        } catch (JobManagerAway e) {
            return false;
        }
    }

    private Set<String> registered() {
        Set<String> ids = new HashSet<>();
        try {
            for (JsonNode each : rest.get("/taskmanagers").path("taskmanagers")) {
                ids.add(each.path("id").asText());
            }
        } catch (JobManagerAway e) {
            return Set.of();
        }
        return ids;
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 500);
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    private static void await(ChildProcess member, BooleanSupplier condition) {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (!member.alive()) {
                throw new IllegalStateException(
                        member.name() + " has ended:\n" + member.lastOutput());
            }
            if (System.nanoTime() > end) {
                throw new IllegalStateException(
                        member.name()
                                + " does not answer after "
                                + PATIENCE.toSeconds()
                                + " s:\n"
                                + member.lastOutput());
            }
            try {
                Thread.sleep(POLL_MILLIS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while " + member.name() + " starts");
            }
        }
    }
}
