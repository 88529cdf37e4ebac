package dev.millrace.backends.rollout;

import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.CommandRules;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.HandedIn;
import dev.millrace.backends.port.Reply;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.step.Effect;
import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

/** The environment's part of turns: how commands are run, and what the policy is told. */
final class Answers {
    private static final int KILLED = 137;

    private final RolloutPorts ports;
    private final ChatRenderer renderer;

    Answers(RolloutPorts ports) {
        this.ports = ports;
        this.renderer = ports.renderer();
    }

    ExecRequest request(String effectId, String command, long timeoutMillis) {
        CommandRules rules = renderer.rules();
        return new ExecRequest(
                effectId, command, "", rules.environment(), timeoutMillis, rules.maxOutputBytes());
    }

    /** Digest of what the policy would be told of a command. */
    String digest(ExecResult result) {
        return Digests.sha256(renderer.describe(result));
    }

    /** About a turn that could not be parsed. */
    Executed malformed(Effect effect) {
        String feedback = effect.command();
        Reply reply =
                renderer.reply(
                        effect.sampledTokens(), effect.stopped(), feedback, effect.turn() + 1);
        return new Executed(
                -1,
                false,
                reply.tokens(),
                0,
                Digests.sha256(feedback),
                false,
                reply.takenBack(),
                false,
                null);
    }

    /** About a command that brought its sandbox down. */
    static Executed sandboxEnded() {
        return new Executed(KILLED, false, new int[0], 0, Digests.sha256(""), true);
    }

    /**
     * About a command that was run. When it hands the work in, what is left of its turn is answered
     * as well.
     *
     * @throws IOException when what was handed in can't be stored
     */
    Executed of(Effect effect, ExecResult result) throws IOException {
        String told = renderer.describe(result);
        String shown =
                ports.observations().shown(effect.admission().task(), effect.command(), told);
        Optional<HandedIn> handedIn = renderer.handedIn(result);
        return new Executed(
                result.exitCode(),
                result.timedOut(),
                handedIn.isPresent() ? toTheEnd(effect, shown) : told(effect, shown, effect.part()),
                result.totalOutputBytes(),
                Digests.sha256(told),
                false,
                0,
                handedIn.isPresent(),
                handedIn.isPresent() ? stored(effect, handedIn.get()) : null);
    }

    private ContentRef stored(Effect effect, HandedIn handedIn) throws IOException {
        return handedIn.content() == null
                ? null
                : ports.store().put(prefix(effect), ".submission", handedIn.content());
    }

    private int[] toTheEnd(Effect effect, String shown) {
        return IntStream.range(effect.part(), effect.parts())
                .mapToObj(
                        part ->
                                told(
                                        effect,
                                        part == effect.part()
                                                ? shown
                                                : renderer.describeUnexecuted(),
                                        part))
                .flatMapToInt(IntStream::of)
                .toArray();
    }

    private int[] told(Effect effect, String text, int part) {
        return renderer.observe(
                effect.sampledTokens(),
                effect.stopped(),
                text,
                effect.turn() + 1,
                part,
                effect.parts());
    }

    /** Where what an attempt leaves is stored. */
    static String prefix(Effect effect) {
        return effect.admission().groupId() + "/a" + effect.admission().attemptIndex();
    }
}
