package dev.millrace.jobs.view;

import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Keeps the runs of a job in view while they go on: one run as a block redrawn in place on a
 * terminal, several as a line each; elsewhere a line for each new step, and one every 15 seconds
 * when there is none.
 */
public final class LiveDisplay implements AutoCloseable {
    private static final Duration QUIET = Duration.ofSeconds(15);

    private final List<RunView> views;
    private final DisplayStyle style;
    private final StatusBlock block;
    private final PrintStream out;
    private final Clock clock;
    private final long startMillis;
    private final ScheduledExecutorService timer;
    private int drawnLines;
    private final long[] printedStep;
    private long printedMillis;

    /**
     * A display that isn't running yet.
     *
     * @param webUi address to show, empty for none
     * @param clock wall time, as the records have it
     * @param startMillis when the run began, by that clock
     */
    public LiveDisplay(
            List<RunView> views,
            DisplayStyle style,
            String webUi,
            PrintStream out,
            Clock clock,
            long startMillis) {
        this.views = List.copyOf(views);
        this.printedStep = new long[views.size()];
        Arrays.fill(printedStep, -1);
        this.style = style;
        this.block = new StatusBlock(style, webUi);
        this.out = out;
        this.clock = clock;
        this.startMillis = startMillis;
        this.printedMillis = clock.millis();
        this.timer =
                Executors.newSingleThreadScheduledExecutor(
                        task -> {
                            Thread thread = new Thread(task, "live-display");
                            thread.setDaemon(true);
                            return thread;
                        });
    }

    /** Draws every second from now on. */
    public void start() {
        var unused = timer.scheduleAtFixedRate(this::draw, 0, 1, TimeUnit.SECONDS);
    }

    /** Draws once more and leaves the last block standing. */
    @Override
    public void close() {
        timer.shutdown();
        try {
            if (!timer.awaitTermination(2, TimeUnit.SECONDS)) {
                timer.shutdownNow();
            }
        } catch (InterruptedException e) {
            timer.shutdownNow();
            Thread.currentThread().interrupt();
        }
        draw();
    }

    /** Draws the runs as they are now. */
    synchronized void draw() {
        long now = clock.millis();
        List<RunStatus> runs = views.stream().map(view -> view.status(now)).toList();
        Duration elapsed = Duration.ofMillis(now - startMillis);
        if (style.inPlace()) {
            redraw(
                    runs.size() == 1
                            ? block.lines(runs.get(0), elapsed)
                            : runs.stream()
                                    .map(run -> Words.cut(line(run, elapsed), StatusBlock.WIDTH))
                                    .toList());
        } else {
            print(runs, elapsed, now);
        }
    }

    private void print(List<RunStatus> runs, Duration elapsed, long now) {
        boolean quiet = now - printedMillis >= QUIET.toMillis();
        for (int i = 0; i < runs.size(); i++) {
            if (quiet || runs.get(i).step() != printedStep[i]) {
                out.println(line(runs.get(i), elapsed));
                printedStep[i] = runs.get(i).step();
                printedMillis = now;
            }
        }
        out.flush();
    }

    private String line(RunStatus run, Duration elapsed) {
        String name = views.size() == 1 ? "" : run.shape().runId() + " ";
        return name + StatusLine.line(run, elapsed);
    }

    private void redraw(List<String> lines) {
        StringBuilder text = new StringBuilder();
        if (drawnLines > 0) {
            text.append("\u001b[").append(drawnLines).append('A');
        }
        for (String line : lines) {
            text.append('\r').append(line).append("\u001b[K\n");
        }
        // A shorter block than the last one must not leave lines below it.
        text.append("\u001b[J");
        out.print(text);
        out.flush();
        drawnLines = lines.size();
    }
}
