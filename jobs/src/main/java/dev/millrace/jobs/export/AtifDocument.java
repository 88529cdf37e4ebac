package dev.millrace.jobs.export;

import dev.millrace.backends.port.Transcriber;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.model.TurnAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** Makes the steps of a trajectory: what the policy was told, then a step for each turn. */
final class AtifDocument {
    private static final String TOOL = "bash";

    private final Trajectory trajectory;
    private final Transcriber transcriber;
    private final List<Instant> times;
    private final ModelNames models;

    /**
     * @param times when each turn was sampled, or empty
     */
    AtifDocument(
            Trajectory trajectory,
            Transcriber transcriber,
            List<Instant> times,
            ModelNames models) {
        this.trajectory = trajectory;
        this.transcriber = transcriber;
        this.times = times;
        this.models = models;
    }

    /** All steps; at least one. */
    List<Atif.Step> steps() {
        List<Atif.Step> steps = new ArrayList<>();
        List<Turn> turns = trajectory.turns();
        prompt(turns.isEmpty() ? trajectory.tokens().length : turns.get(0).firstToken(), steps);
        for (int i = 0; i < turns.size(); i++) {
            int end =
                    i + 1 < turns.size()
                            ? turns.get(i + 1).firstToken()
                            : trajectory.tokens().length;
            steps.add(turn(steps.size() + 1, i, end));
        }
        return steps;
    }

    private void prompt(int end, List<Atif.Step> steps) {
        for (Transcriber.Told told : told(0, end)) {
            steps.add(
                    new Atif.Step(
                            steps.size() + 1,
                            null,
                            told.system() ? "system" : "user",
                            null,
                            PlainText.of(told.text()),
                            null,
                            null,
                            null,
                            null,
                            null));
        }
    }

    private Atif.Step turn(int stepId, int index, int end) {
        Turn turn = trajectory.turns().get(index);
        int spoken = turn.firstToken() + turn.generatedTokens();
        String said =
                transcriber.said(
                        Arrays.copyOfRange(trajectory.tokens(), turn.firstToken(), spoken));
        String call = turn.action() == TurnAction.COMMAND ? "call_" + stepId : null;
        return new Atif.Step(
                stepId,
                times.isEmpty() ? null : times.get(index).toString(),
                "agent",
                models.of(turn.served()),
                PlainText.of(said),
                call == null ? null : List.of(call(call, turn)),
                observation(call, turn, spoken, end),
                metrics(turn, spoken),
                1,
                extra(turn));
    }

    private static Map<String, Object> extra(Turn turn) {
        Map<String, Object> extra = new LinkedHashMap<>();
        extra.put("action", turn.action().name());
        extra.put("policy_version", turn.served().toString());
        return extra;
    }

    private static Atif.ToolCall call(String id, Turn turn) {
        return new Atif.ToolCall(id, TOOL, Map.of("command", PlainText.of(turn.command())));
    }

    private Atif.Observation observation(String call, Turn turn, int from, int to) {
        String text =
                told(from, to).stream()
                        .map(Transcriber.Told::text)
                        .collect(Collectors.joining("\n"));
        if (call == null && text.isEmpty()) {
            return null;
        }
        Map<String, Object> extra = new LinkedHashMap<>();
        if (call != null) {
            extra.put("exit_code", turn.exitCode());
            extra.put("timed_out", turn.timedOut());
        }
        return new Atif.Observation(
                List.of(new Atif.Result(call, PlainText.of(text), extra.isEmpty() ? null : extra)));
    }

    private Atif.Metrics metrics(Turn turn, int spoken) {
        int first = turn.firstToken();
        LogprobArray logprobs = new LogprobArray(trajectory.logprobs(), first, spoken);
        return new Atif.Metrics(
                first,
                turn.generatedTokens(),
                new TokenArray(trajectory.tokens(), 0, first),
                new TokenArray(trajectory.tokens(), first, spoken),
                logprobs.finite() ? logprobs : null,
                masked(first, spoken));
    }

    /** Which of a turn's tokens no loss may count, when there are such. */
    private Map<String, Object> masked(int from, int to) {
        List<Integer> mask = new ArrayList<>();
        boolean whole = true;
        for (int at = from; at < to; at++) {
            mask.add((int) trajectory.mask()[at]);
            whole &= trajectory.mask()[at] == 1;
        }
        return whole ? null : Map.of("loss_mask", mask);
    }

    private List<Transcriber.Told> told(int from, int to) {
        return transcriber.told(Arrays.copyOfRange(trajectory.tokens(), from, to));
    }
}
