package dev.millrace.bench.sim.client;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A sandbox of the sandbox service. */
final class SimSandbox implements Sandbox {
    private static final long GRACE_MILLIS = 2000;
    private final SandboxCalls calls;
    private final Lease lease;
    private final long id;

    SimSandbox(SandboxCalls calls, Lease lease, long id) {
        this.calls = calls;
        this.lease = lease;
        this.id = id;
    }

    @Override
    public String leaseName() {
        return lease.name();
    }

    @Override
    public ExecResult exec(ExecRequest request) throws SandboxException {
        ObjectNode body =
                named().put("effect", request.effectId())
                        .put("command", request.command())
                        .put("timeoutMillis", request.timeoutMillis());
        long start = System.nanoTime();
        JsonNode answer = calls.within("/exec", body, request.timeoutMillis() + GRACE_MILLIS);
        long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start);
        if (answer == null) {
            return new ExecResult(
                    124, new byte[0], 0, true, false, millis, "no answer in " + millis + " ms");
        }
        boolean timedOut = answer.path("timedOut").asBoolean();
        byte[] output = answer.path("output").asText().getBytes(StandardCharsets.UTF_8);
        return new ExecResult(
                answer.path("exit").asInt(),
                Arrays.copyOf(output, Math.min(output.length, request.maxOutputBytes())),
                output.length,
                timedOut,
                false,
                millis,
                timedOut ? "time " + request.timeoutMillis() + " ms" : "");
    }

    @Override
    public void putFiles(String directory, List<SandboxFile> files) throws SandboxException {
        ObjectNode body = named().put("directory", directory);
        ArrayNode array = body.putArray("files");
        for (SandboxFile file : files) {
            array.addObject()
                    .put("path", file.path())
                    .put("content", Base64.getEncoder().encodeToString(file.content()))
                    .put("executable", file.executable());
        }
        calls.now("/put", body);
    }

    @Override
    public List<SandboxFile> getFiles(String directory, long maxBytes) throws SandboxException {
        List<SandboxFile> files = new ArrayList<>();
        long bytes = 0;
        for (JsonNode file : calls.now("/get", named().put("directory", directory)).path("files")) {
            byte[] content = Base64.getDecoder().decode(file.path("content").asText());
            bytes += content.length;
            files.add(
                    new SandboxFile(
                            file.path("path").asText(),
                            content,
                            file.path("executable").asBoolean()));
        }
        if (bytes > maxBytes) {
            throw new SandboxException(Kind.QUOTA, bytes + " bytes, more than " + maxBytes);
        }
        return files;
    }

    @Override
    public List<String> executedIds() {
        try {
            List<String> ids = new ArrayList<>();
            calls.now("/show", named())
                    .path("executed")
                    .forEach(effect -> ids.add(effect.asText()));
            return ids;
        } catch (SandboxException e) {
            return List.of();
        }
    }

    @Override
    public void renew() throws SandboxException {
        calls.now("/show", named());
    }

    @Override
    public void kill() {
        calls.end(named());
    }

    @Override
    public void terminate() throws SandboxException {
        calls.now("/terminate", named());
    }

    @Override
    public void close() {
        kill();
    }

    /** What the tests of a task say about the files here. */
    JsonNode grade(int task) throws SandboxException {
        return calls.now("/grade", named().put("task", task).put("effect", "grade"));
    }

    private ObjectNode named() {
        return SandboxCalls.of(lease).put("id", id);
    }
}
