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
 * Knows two commands: {@code write TEXT} writes the file {@code answer}; {@code die} ends the
 * sandbox.
 */
final class FakeSandbox implements Sandbox {
    private final String leaseName;
    private final Runnable onClose;
    private final Map<String, SandboxFile> files = new TreeMap<>();
    private final List<String> executed = new ArrayList<>();
    private boolean dead;

    FakeSandbox(String leaseName, Runnable onClose) {
        this.leaseName = leaseName;
        this.onClose = onClose;
    }

    @Override
    public String leaseName() {
        return leaseName;
    }

    @Override
    public synchronized ExecResult exec(ExecRequest request) throws SandboxException {
        requireAlive();
        executed.add(request.effectId());
        String command = request.command();
        if (command.equals("die")) {
            dead = true;
            throw new SandboxException(
                    SandboxException.Kind.DIED, true, "the agent ended its sandbox", null);
        }
        if (command.startsWith("write ")) {
            byte[] text = command.substring(6).getBytes(StandardCharsets.UTF_8);
            files.put("answer", new SandboxFile("answer", text, false));
            return printed("");
        }
        return printed(command);
    }

    private static ExecResult printed(String text) {
        byte[] output = text.getBytes(StandardCharsets.UTF_8);
        return new ExecResult(0, output, output.length, false, false, 0, "");
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
    public synchronized void kill() {
        dead = true;
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
