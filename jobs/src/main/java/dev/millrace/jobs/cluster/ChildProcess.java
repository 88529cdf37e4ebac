package dev.millrace.jobs.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * A member as a child of this process. Holding it keeps the child's standard input open, and so the
 * child alive.
 */
final class ChildProcess implements Member {
    private static final long END_SECONDS = 10;

    private final String name;
    private final List<String> command;
    private final Path output;
    private final Consumer<ChildProcess> ready;
    private Process process;

    /**
     * A process that isn't started yet.
     *
     * @param output takes what it prints
     * @param ready waits until it answers; throws when that takes too long or it has ended
     */
    ChildProcess(String name, List<String> command, Path output, Consumer<ChildProcess> ready) {
        this.name = name;
        this.command = List.copyOf(command);
        this.output = output;
        this.ready = ready;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public synchronized long pid() {
        return process.pid();
    }

    @Override
    public synchronized boolean alive() {
        return process != null && process.isAlive();
    }

    /** Starts it without waiting until it answers. */
    synchronized void start() {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        try {
            process = builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException("Can't start " + name, e);
        }
    }

    /** Waits until it answers. */
    void awaitReady() {
        ready.accept(this);
    }

    @Override
    public synchronized void kill() {
        if (process != null) {
            process.destroyForcibly();
            await(process);
        }
    }

    @Override
    public void restart() {
        kill();
        start();
        awaitReady();
    }

    /** Asks it to end. */
    synchronized void end() {
        if (process != null) {
            process.destroy();
        }
    }

    /** Waits a little until it has ended, then kills it. */
    synchronized void awaitEnd() {
        try {
            if (process != null && !process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
                kill();
            }
        } catch (InterruptedException e) {
            kill();
            Thread.currentThread().interrupt();
        }
    }

    /** The end of what it printed, for messages. */
    String lastOutput() {
        try {
            List<String> lines = Files.readAllLines(output);
            return String.join("\n", lines.subList(Math.max(0, lines.size() - 20), lines.size()));
        } catch (IOException e) {
            return "(" + output + " can't be read: " + e.getMessage() + ")";
        }
    }

    /**
     * The command of a Java process with this process's class path.
     *
     * @param options of the virtual machine
     * @param main its main class and its arguments
     */
    static List<String> java(List<String> options, List<String> main) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(options);
        command.add("-cp");
        command.add(classPath());
        command.add(MemberMain.class.getName());
        command.addAll(main);
        return command;
    }

    private static String classPath() {
        List<String> absolute = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            absolute.add(Path.of(entry).toAbsolutePath().toString());
        }
        return String.join(File.pathSeparator, absolute);
    }

    private static void await(Process process) {
        boolean interrupted = false;
        while (process.isAlive()) {
            try {
                process.waitFor();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return name + Objects.toString(process, " (not started)");
    }
}
