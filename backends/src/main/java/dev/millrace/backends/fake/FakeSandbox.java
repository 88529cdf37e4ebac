package dev.millrace.backends.fake;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Knows three commands: {@code write TEXT} writes the file {@code answer}; {@code add TEXT} appends
 * to it and prints its length, so that it shows when one is run twice; {@code die} ends the
 * sandbox.
 */
final class FakeSandbox implements Sandbox {
    private static final String ANSWER = "answer";

    private final String leaseName;
    private final FakeFaults faults;
    private final Runnable onClose;
    private final Map<String, SandboxFile> files = new TreeMap<>();
    private final List<String> executed = new ArrayList<>();
    private volatile boolean dead;

    FakeSandbox(String leaseName, FakeFaults faults, Runnable onClose) {
        this.leaseName = leaseName;
        this.faults = faults;
        this.onClose = onClose;
    }

    @Override
    public String leaseName() {
        return leaseName;
    }

    @Override
    public ExecResult exec(ExecRequest request) throws SandboxException {
        try {
            requireAlive();
            faults.exec(leaseName, request);
            requireAlive();
            ExecResult result = run(request);
            faults.answer(leaseName, request);
            requireAlive();
            return result;
        } catch (InterruptedException e) {
            throw cancelled(e);
        }
    }

    private synchronized ExecResult run(ExecRequest request) throws SandboxException {
        executed.add(request.effectId());
        String command = request.command();
        if (command.equals("die")) {
            dead = true;
            throw new SandboxException(
                    SandboxException.Kind.DIED, true, "the agent ended its sandbox", null);
        }
        if (command.startsWith("write ")) {
            put(command.substring(6));
            return printed("");
        }
        if (command.startsWith("add ")) {
            String text = text() + command.substring(4);
            put(text);
            return printed(Integer.toString(text.length()));
        }
        return printed(command);
    }

    private String text() {
        SandboxFile file = files.get(ANSWER);
        return file == null ? "" : new String(file.content(), StandardCharsets.UTF_8);
    }

    private void put(String text) {
        byte[] content = text.getBytes(StandardCharsets.UTF_8);
        files.put(ANSWER, new SandboxFile(ANSWER, content, false));
    }

    private static ExecResult printed(String text) {
        byte[] output = text.getBytes(StandardCharsets.UTF_8);
        return new ExecResult(0, output, output.length, false, false, 0, "");
    }

    static SandboxException cancelled(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new SandboxException(
                SandboxException.Kind.CANCELLED, false, "cancelled by the caller", e);
    }

    @Override
    public synchronized void putFiles(String directory, List<SandboxFile> added)
            throws SandboxException {
        requireAlive();
        added.forEach(f -> files.put(f.path(), f));
    }

    @Override
    public synchronized List<SandboxFile> getFiles(String directory, long maxBytes)
            throws SandboxException {
        requireAlive();
        return List.copyOf(files.values());
    }

    @Override
    public synchronized List<String> executedIds() {
        return List.copyOf(executed);
    }

    @Override
    public void kill() {
        dead = true;
    }

    @Override
    public void terminate() throws SandboxException {
        try {
            faults.terminate(leaseName);
        } catch (InterruptedException e) {
            throw cancelled(e);
        }
        close();
    }

    @Override
    public void close() {
        kill();
        onClose.run();
    }

    private void requireAlive() throws SandboxException {
        if (dead) {
            throw new SandboxException(SandboxException.Kind.DIED, "the sandbox is closed");
        }
    }
}
