package dev.millrace.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.millrace.jobs.cluster.ClusterFacts.TaskManagerFacts;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A JobManager's REST interface, on which the task manager with the GPU registers late. */
class ClusterWaitTest {
    private static final String ROLLOUT = taskManager("rollout-1", "rollout");
    private static final String GPU = taskManager("gpu-1", "gpu-b300");
    private static final Duration LONG = Duration.ofMinutes(2);

    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final AtomicInteger asked = new AtomicInteger();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/config", each -> answer(each, "{\"flink-version\":\"2.3.0\"}"));
        server.createContext("/jobmanager/config", each -> answer(each, "[]"));
        server.start();
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void givesATaskManagerThatIsStartingTheTimeToRegister() throws Exception {
        registered(3);
        ClusterFacts facts = wait("train.placement=gpu(B300)", LONG);
        assertThat(facts.taskManagers())
                .extracting(TaskManagerFacts::id)
                .containsExactly("rollout-1", "gpu-1");
        assertThat(said.toString(StandardCharsets.UTF_8))
                .containsOnlyOnce("waiting for task managers: ")
                .contains("no task manager offers gpu-b300");
    }

    @Test
    void goesOnAtOnceWithAllThatIsNeeded() throws Exception {
        registered(1);
        wait("train.placement=gpu(B300)", LONG);
        assertThat(asked).hasValue(1);
        assertThat(said.size()).isZero();
    }

    @Test
    void endsWithWhatIsThereWhenNothingElseComes() throws Exception {
        registered(1);
        ClusterFacts facts = wait("train.placement=gpu(H200)", Duration.ZERO);
        assertThat(ClusterFit.refusals(recipe("train.placement=gpu(H200)"), facts))
                .singleElement()
                .asString()
                .contains("gpu(H200)")
                .contains("gpu-b300=1.0");
    }

    @Test
    void waitsForNothingWhenTheRunIsRefusedAnyway() throws Exception {
        registered(3);
        ClusterWait.forRun(recipe("train.placement=gpu(B300)"), print(), true).facts(address());
        assertThat(asked).hasValue(1);
    }

    @Test
    void saysThatNobodyAnswers() throws Exception {
        String address = address();
        server.stop(0);
        ClusterWait wait = new ClusterWait(recipe("train.placement=none"), print(), LONG);
        assertThatThrownBy(() -> wait.facts(address)).isInstanceOf(JobManagerAway.class);
    }

    /** The GPU is there from the given question on. */
    private void registered(int question) {
        server.createContext(
                "/taskmanagers",
                each -> {
                    String all = asked.incrementAndGet() < question ? ROLLOUT : ROLLOUT + "," + GPU;
                    answer(each, "{\"taskmanagers\":[" + all + "]}");
                });
    }

    private ClusterFacts wait(String override, Duration patience) throws Exception {
        return new ClusterWait(recipe(override), print(), patience).facts(address());
    }

    private PrintStream print() {
        return new PrintStream(said, true, StandardCharsets.UTF_8);
    }

    private String address() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private static String taskManager(String id, String resource) {
        return """
        {"id":"%s","slotsNumber":3,"totalResource":{"cpuCores":3,"taskHeapMemory":700,
        "managedMemory":400,"extendedResources":{"%s":3}}}
        """
                .formatted(id, resource)
                .replace("\"gpu-b300\":3", "\"gpu-b300\":1");
    }

    private static void answer(HttpExchange exchange, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private static Recipe recipe(String override) throws Exception {
        return RecipeReader.read(List.of(Path.of("../recipes/demo.yaml")), List.of(override));
    }
}
