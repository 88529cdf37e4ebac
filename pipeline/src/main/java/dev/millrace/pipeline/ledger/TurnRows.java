package dev.millrace.pipeline.ledger;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Failure;
import dev.millrace.udfs.model.Graded;
import dev.millrace.udfs.model.Sampled;
import dev.millrace.udfs.model.StepEvent;
import java.util.Optional;
import org.apache.avro.generic.GenericRecord;

/** Rows of the journal: sizes, times and verdicts, neither tokens nor commands. */
final class TurnRows {
    private TurnRows() {}

    static GenericRecord turn(StepEvent event, LedgerLine line) {
        Optional<Admission> admission = admission(event);
        Optional<Sampled> sampled = Optional.ofNullable(event.sampled());
        Optional<Executed> executed = Optional.ofNullable(event.executed());
        Optional<Failure> failure = Optional.ofNullable(event.failure());
        return Rows.begin(LedgerTable.TURNS, runId(event), line)
                .set("stage", event.stage())
                .set("attempt_id", event.itemId())
                .set("admission_id", event.admissionId())
                .set("effect_id", event.effectId())
                .set("kind", event.kind().name())
                .set("wall_millis", event.wallMillis())
                .set("lane", admission.map(a -> a.lane().name()).orElse(null))
                .set("group_id", admission.map(Admission::groupId).orElse(null))
                .set("generated_tokens", sampled.map(s -> s.tokens().length).orElse(null))
                .set("served_epoch", sampled.map(s -> s.served().epoch()).orElse(null))
                .set("served_step", sampled.map(s -> s.served().step()).orElse(null))
                .set("action", sampled.map(s -> s.action().name()).orElse(null))
                .set("exit_code", executed.map(Executed::exitCode).orElse(null))
                .set("timed_out", executed.map(Executed::timedOut).orElse(null))
                .set(
                        "observation_tokens",
                        executed.map(e -> e.observationTokens().length).orElse(null))
                .set("output_bytes", executed.map(Executed::outputBytes).orElse(null))
                .set("reward", Optional.ofNullable(event.graded()).map(Graded::reward).orElse(null))
                .set("failure_class", failure.map(f -> f.failureClass().name()).orElse(null))
                .set("failure_cause", failure.map(Failure::cause).orElse(null))
                .build();
    }

    /** An attempt's id begins with its run's. */
    private static String runId(StepEvent event) {
        int slash = event.itemId().indexOf('/');
        return slash < 0 ? "" : event.itemId().substring(0, slash);
    }

    private static Optional<Admission> admission(StepEvent event) {
        return Optional.ofNullable(event.admission())
                .or(() -> Optional.ofNullable(event.finished()).map(f -> f.admission()));
    }
}
