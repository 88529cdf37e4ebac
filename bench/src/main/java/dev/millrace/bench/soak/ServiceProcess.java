package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.bench.sim.SimProcess;
import dev.millrace.bench.sim.client.ServiceClient;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** A simulated service as a child of this process; it ends when this process does. */
final class ServiceProcess implements AutoCloseable {
    private static final long CALL_MILLIS = 10_000;

    private final Process process;
    private final Path log;
    private final int port;

    private ServiceProcess(Process process, Path log, int port) {
        this.process = process;
        this.log = log;
        this.port = port;
    }

    /**
     * Starts a service and waits until it serves.
     *
     * @param folder of its log
     * @param request names seed, workload and time factor
     */
    static ServiceProcess start(SimProcess.Kind kind, Path folder, SoakRequest request) {
        String name = kind.name().toLowerCase(Locale.ROOT);
        Path log = folder.resolve(name + ".jsonl");
        ProcessBuilder builder =
                new ProcessBuilder(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-cp",
                                System.getProperty("java.class.path"),
                                SimProcess.class.getName(),
                                kind.name(),
                                "0",
                                log.toString(),
                                Long.toString(request.seed()),
                                Double.toString(request.factor()),
                                request.workload()));
        builder.redirectError(folder.resolve(name + ".err").toFile());
        try {
            Process process = builder.start();
            BufferedReader output = process.inputReader(StandardCharsets.UTF_8);
            String line = output.readLine();
            if (line == null || !line.startsWith("port ")) {
                throw new IllegalStateException(
                        "The service " + name + " did not start; see " + folder);
            }
            return new ServiceProcess(process, log, Integer.parseInt(line.substring(5)));
        } catch (IOException e) {
            throw new UncheckedIOException("The service " + name + " can't be started", e);
        }
    }

    int port() {
        return port;
    }

    /** Its log. */
    Path log() {
        return log;
    }

    /** Has something go wrong from now on; the number that it is known by. */
    int arm(String rule) {
        return call("/faults", ServiceClient.request().put("rule", rule)).path("number").asInt();
    }

    /** When it went wrong for the first time, milliseconds since 1970; empty before. */
    OptionalLong struckAt(int number) {
        long at =
                call("/strikes", ServiceClient.request().put("number", number)).path("at").asLong();
        return at < 0 ? OptionalLong.empty() : OptionalLong.of(at);
    }

    /** Has the trainer refuse all that a run asks of it from now on. */
    void refuse(String runId) {
        call("/refuse", ServiceClient.request().put("run", runId));
    }

    private JsonNode call(String path, ObjectNode request) {
        return new ServiceClient(port, CALL_MILLIS).call(path, request).join();
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }
}
