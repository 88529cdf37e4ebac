package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.model.Turn;
import dev.millrace.udfs.model.TurnAction;
import dev.millrace.udfs.step.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The effects of one attempt, with ids made of kind, try and turn. */
final class RolloutEffects {
    private final AttemptProgress attempt;
    private final Admission admission;

    RolloutEffects(AttemptProgress attempt) {
        this.attempt = attempt;
        this.admission = attempt.admission;
    }

    /** Tokens that the next turn may have. */
    static int turnTokens(AttemptProgress attempt) {
        AttemptBudget budget = attempt.admission.budget();
        return Math.min(
                budget.maxTokensPerTurn(), budget.contextTokens() - attempt.ledger.length());
    }

    Effect boot() {
        return effect(
                "boot#" + attempt.tries,
                Effect.Kind.BOOT,
                null,
                0,
                attempt.tries - 1,
                null,
                null,
                false,
                0,
                null);
    }

    Effect sample() {
        int turn = attempt.turns.size();
        return effect(
                id("sample", turn),
                Effect.Kind.SAMPLE,
                attempt.ledger.tokens(),
                turnTokens(attempt),
                turn,
                null,
                null,
                false,
                remainingMillis(),
                null);
    }

    Effect execute(PlayedTurn open) {
        return environment("exec", Effect.Kind.EXECUTE, open);
    }

    Effect observe(PlayedTurn open) {
        return environment("observe", Effect.Kind.OBSERVE, open);
    }

    /** From the step that the turn has ended to the next. */
    Effect advance(PlayedTurn open) {
        String next = Integer.toString(attempt.stepsEnded + 1);
        return environment("advance", Effect.Kind.ADVANCE, open, next);
    }

    Effect capture() {
        return effect(
                "capture#" + attempt.tries,
                Effect.Kind.CAPTURE,
                null,
                0,
                attempt.turns.size(),
                null,
                null,
                attempt.sandboxEnded || attempt.stepsOver,
                0,
                trajectory());
    }

    private Effect environment(String name, Effect.Kind kind, PlayedTurn open) {
        return environment(name, kind, open, open.next());
    }

    private Effect environment(String name, Effect.Kind kind, PlayedTurn open, String command) {
        int turn = attempt.turns.size() - 1;
        int part = open.answers().size();
        return effect(
                        id(name, turn) + (part == 0 ? "" : "." + part),
                        kind,
                        null,
                        0,
                        turn,
                        command,
                        open.sampled().tokens(),
                        open.sampled().stopped(),
                        Math.min(admission.budget().execMillis(), remainingMillis()),
                        null)
                .ofTurn(part, open.sampled().parts().size());
    }

    private long remainingMillis() {
        return Math.max(1, admission.budget().attemptMillis() - attempt.runningMillis);
    }

    private String id(String name, int turn) {
        return name + "#" + attempt.tries + "." + turn;
    }

    private Effect effect(
            String id,
            Effect.Kind kind,
            int[] tokens,
            int maxTokens,
            int turn,
            String command,
            int[] sampledTokens,
            boolean flag,
            long timeoutMillis,
            Trajectory trajectory) {
        return new Effect(
                id,
                admission.attemptId(),
                kind,
                admission,
                leaseName(),
                tokens,
                maxTokens,
                turn,
                command,
                sampledTokens,
                flag,
                timeoutMillis,
                history(),
                trajectory,
                null);
    }

    private String leaseName() {
        return admission.attemptId() + "/" + admission.admissionId() + "/t" + attempt.tries;
    }

    private List<Effect.PastCommand> history() {
        List<Effect.PastCommand> past = new ArrayList<>();
        int step = 0;
        for (PlayedTurn turn : attempt.turns) {
            boolean end = turn.sampled().action() == TurnAction.FINAL;
            if (end && turn.answered()) {
                step++;
                commands(turn, List.of(Integer.toString(step))).forEach(past::add);
            } else if (turn.sampled().action() == TurnAction.COMMAND) {
                commands(turn, turn.sampled().parts()).forEach(past::add);
            }
        }
        return List.copyOf(past);
    }

    private static Stream<Effect.PastCommand> commands(PlayedTurn turn, List<String> asked) {
        return IntStream.range(0, turn.answers().size())
                .mapToObj(
                        part -> {
                            PlayedTurn.Answer answer = turn.answers().get(part);
                            return new Effect.PastCommand(
                                    answer.effectId(),
                                    asked.get(part),
                                    answer.executed().outputSha256(),
                                    answer.executed().end());
                        });
    }

    private Trajectory trajectory() {
        int n = attempt.ledger.trimmedLength();
        List<Turn> turns = attempt.turns.stream().map(played -> turn(played, n)).toList();
        return new Trajectory(
                admission.attemptId(),
                admission.admissionId(),
                attempt.ledger.tokens(n),
                attempt.ledger.mask(n),
                attempt.ledger.logprobs(n),
                turns);
    }

    private static Turn turn(PlayedTurn played, int tokens) {
        List<Executed> ran =
                played.sampled().action() == TurnAction.COMMAND
                        ? played.answers().stream().map(PlayedTurn.Answer::executed).toList()
                        : List.of();
        return new Turn(
                played.takenBack() ? Math.min(played.firstToken(), tokens) : played.firstToken(),
                played.takenBack() ? 0 : played.sampled().tokens().length,
                played.sampled().served(),
                played.sampled().action(),
                String.join("\n", played.sampled().parts()),
                ran.isEmpty() ? -1 : ran.get(ran.size() - 1).exitCode(),
                ran.stream().anyMatch(Executed::timedOut));
    }
}
