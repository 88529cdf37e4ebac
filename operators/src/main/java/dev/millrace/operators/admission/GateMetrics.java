package dev.millrace.operators.admission;

import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.model.StepAccounts;
import java.util.List;
import java.util.Map;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;

/**
 * What the gate shows of a run: where its training groups are, as of the last checkpoint or closed
 * step. Reporters read it from threads of their own, so it holds copies.
 */
final class GateMetrics {
    private final Counter violations;
    private final Counter notPlayed;
    private volatile StepAccounts accounts = new StepAccounts(0, 0, Map.of(), 0, List.of());
    private volatile int occupiedSlots;
    private volatile boolean starved;
    private volatile boolean waitsForRows;
    private volatile int waitingRows;
    private volatile long rejectedRows;
    private volatile long tasksQuarantined;
    private volatile boolean infrastructureAway;

    GateMetrics(MetricGroup group) {
        violations = group.counter("accountsViolated");
        notPlayed = group.counter("groupsNotPlayed");
        group.gauge("tasksQuarantined", () -> tasksQuarantined);
        group.gauge("infrastructureAway", () -> infrastructureAway ? 1 : 0);
        group.gauge("occupiedSlots", () -> occupiedSlots);
        group.gauge("starved", () -> starved ? 1 : 0);
        group.gauge("waitsForRows", () -> waitsForRows ? 1 : 0);
        group.gauge("waitingRows", () -> waitingRows);
        group.gauge("rejectedTaskRows", () -> rejectedRows);
        group.gauge("offered", () -> accounts.offered());
        group.gauge("trained", () -> accounts.trained());
        group.gauge("open", () -> accounts.open());
        group.gauge("dropped", () -> accounts.offered() - accounts.trained() - accounts.open());
    }

    void violated() {
        violations.inc();
    }

    void notPlayed() {
        notPlayed.inc();
    }

    void show(AdmissionBook book) {
        occupiedSlots = book.occupiedSlots();
        starved = book.starved();
        waitsForRows = book.waitsForRows();
        waitingRows = book.waitingRows();
        rejectedRows = book.rejectedRows();
        tasksQuarantined = book.tasksQuarantined();
        infrastructureAway = book.infrastructureAway();
    }

    void show(StepAccounts balance) {
        accounts = balance;
    }
}
