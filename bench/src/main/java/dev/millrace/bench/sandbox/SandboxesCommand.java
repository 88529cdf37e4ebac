package dev.millrace.bench.sandbox;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures how long a command takes to its first output. */
@Command(
        name = "sandboxes",
        mixinStandardHelpOptions = true,
        description = {
            "Time to the first output of a command: with bubblewrap alone, in a fresh sandbox with",
            "its creation, and in a sandbox that is there; by turns. The last line is the result",
            "as JSON."
        })
public final class SandboxesCommand implements Callable<Integer> {
    private static final int BAD_INPUT = 2;
    private static final int WARM_UP = 5;
    private static final List<String> ALONE =
            List.of(
                    "bwrap",
                    "--unshare-all",
                    "--die-with-parent",
                    "--clearenv",
                    "--ro-bind",
                    "/usr",
                    "/usr",
                    "--proc",
                    "/proc",
                    "--dev",
                    "/dev",
                    "--tmpfs",
                    "/tmp");

    @Option(names = "--rounds", paramLabel = "N", description = "Default: 100.")
    private int rounds = 100;

    private final PrintStream out;

    /**
     * @param out where the result goes
     */
    public SandboxesCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path scratch = Files.createTempDirectory("millrace-bench");
        try (SandboxProvider provider = new BubblewrapProvider(scratch)) {
            StartTimes times = new StartTimes();
            try (Sandbox prepared = create(provider, "prepared")) {
                for (int round = -WARM_UP; round < rounds; round++) {
                    long alone = alone();
                    long fresh = fresh(provider, round);
                    long again = said(prepared);
                    if (round >= 0) {
                        times.add(alone, fresh, again);
                    }
                }
            }
            times.lines().forEach(out::println);
            out.println(times.json());
            return 0;
        } catch (SandboxException e) {
            out.println(e.getMessage());
            return BAD_INPUT;
        } finally {
            Files.deleteIfExists(scratch);
        }
    }

    private static long alone() throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(ALONE);
        for (String name : List.of("bin", "lib", "lib64")) {
            if (Files.isSymbolicLink(Path.of("/", name))) {
                command.addAll(List.of("--symlink", "usr/" + name, "/" + name));
            }
        }
        command.addAll(List.of("/bin/sh", "-c", "echo said"));
        long begun = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        int first = process.getInputStream().read();
        long nanos = System.nanoTime() - begun;
        if (first != 's' || process.waitFor() != 0) {
            throw new IOException("bubblewrap alone does not work: " + String.join(" ", command));
        }
        return nanos;
    }

    private static long fresh(SandboxProvider provider, int round) throws SandboxException {
        long begun = System.nanoTime();
        try (Sandbox sandbox = create(provider, "fresh-" + round)) {
            said(sandbox);
            return System.nanoTime() - begun;
        }
    }

    private static long said(Sandbox sandbox) throws SandboxException {
        long begun = System.nanoTime();
        sandbox.exec(new ExecRequest("said", "echo said", "", Map.of(), 10_000, 100));
        return System.nanoTime() - begun;
    }

    private static Sandbox create(SandboxProvider provider, String name) throws SandboxException {
        return provider.create(
                new SandboxSpec(name, "bench", "", "/workspace", Map.of(), SandboxLimits.SMALL));
    }
}
