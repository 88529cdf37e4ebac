package dev.millrace.backends.rollout;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.CommandRules;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.HandedIn;
import dev.millrace.backends.port.Reply;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A renderer whose parser may fail on what a policy said: that turn could not be understood, as the
 * policy is told, and no other attempt notices. It is not masked, since only the policy's own
 * tokens can have brought it about.
 */
final class GuardedRenderer implements ChatRenderer {
    private static final Logger LOG = LoggerFactory.getLogger(GuardedRenderer.class);
    private static final String FEEDBACK = "That could not be read. Say it another way.";

    private final ChatRenderer renderer;
    private final AtomicLong failures = new AtomicLong();

    GuardedRenderer(ChatRenderer renderer) {
        this.renderer = renderer;
    }

    @Override
    public Action parse(int[] completion, boolean stopped) {
        try {
            return renderer.parse(completion, stopped);
        } catch (RuntimeException e) {
            failures.incrementAndGet();
            LOG.warn("A turn brought its parser down tokens={}", completion.length, e);
            return new Action(Action.Kind.FORMAT_ERROR, "", FEEDBACK);
        }
    }

    /** Turns whose parser failed. */
    long failures() {
        return failures.get();
    }

    @Override
    public int[] start(String instruction) {
        return renderer.start(instruction);
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return renderer.observe(completion, stopped, observation, nextTurn);
    }

    @Override
    public int[] observe(
            int[] completion,
            boolean stopped,
            String observation,
            int nextTurn,
            int part,
            int parts) {
        return renderer.observe(completion, stopped, observation, nextTurn, part, parts);
    }

    @Override
    public String describe(ExecResult result) {
        return renderer.describe(result);
    }

    @Override
    public Reply reply(int[] completion, boolean stopped, String feedback, int nextTurn) {
        return renderer.reply(completion, stopped, feedback, nextTurn);
    }

    @Override
    public int[] instruct(int[] completion, boolean stopped, String instruction, int nextTurn) {
        return renderer.instruct(completion, stopped, instruction, nextTurn);
    }

    @Override
    public String describeUnexecuted() {
        return renderer.describeUnexecuted();
    }

    @Override
    public Optional<HandedIn> handedIn(ExecResult result) {
        return renderer.handedIn(result);
    }

    @Override
    public CommandRules rules() {
        return renderer.rules();
    }
}
