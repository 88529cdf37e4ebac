package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.view.RunOutcome;
import dev.millrace.jobs.view.RunSummary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** A run that has ended is not resumed: its topics are closed and nothing is left to do. */
final class EndedRun {
    private EndedRun() {}

    /**
     * Refuses to resume a run whose summary says that it has ended by itself. Of several runs none
     * has before all have.
     *
     * @param steps that it is to have now
     * @throws BadInputException saying how far it came and what can be done
     */
    static void refuse(RunFolder folder, long steps) throws IOException {
        refuseOne(folder, steps);
        if (Files.isDirectory(folder.clients())) {
            try (Stream<Path> clients = Files.list(folder.clients())) {
                for (Path client : clients.sorted().toList()) {
                    refuseOne(folder.client(client.getFileName().toString()), steps);
                }
            }
        }
    }

    private static void refuseOne(RunFolder folder, long steps) throws IOException {
        if (!Files.exists(folder.summary())) {
            return;
        }
        RunSummary summary = RunSummary.read(folder.summary());
        boolean ended =
                summary.state().equals(RunOutcome.FINISHED.text())
                        || summary.state().equals(RunOutcome.STARVED.text());
        if (!ended) {
            return;
        }
        String wanted =
                steps > summary.steps()
                        ? "more steps can be added only before a run has ended"
                        : "nothing is left to train";
        throw new BadInputException(
                "The run has "
                        + summary.state()
                        + " with "
                        + summary.steps()
                        + " steps, its topics are closed: "
                        + wanted
                        + ". Start a new run with another --output");
    }
}
