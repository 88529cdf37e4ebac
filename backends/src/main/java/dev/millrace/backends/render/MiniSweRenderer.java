package dev.millrace.backends.render;

import dev.millrace.backends.port.Action;
import dev.millrace.backends.port.ChatRenderer;
import dev.millrace.backends.port.CommandRules;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.HandedIn;
import dev.millrace.backends.port.Reply;
import dev.millrace.udfs.agent.FencedActions;
import dev.millrace.udfs.agent.Submission;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Conversations of a Qwen model that works as mini-swe-agent's models do: every turn has an action,
 * each runs in a shell of its own, and the work ends when a command's output says so.
 */
public final class MiniSweRenderer implements ChatRenderer {
    private static final int BESIDE_SUBMISSION = 64 * 1024;

    private final MiniSweSpec spec;
    private final MiniSweTexts texts;
    private final QwenConversation conversation;
    private final BashCalls calls;

    /**
     * @param family how the model writes
     * @param tokenizer of the model
     * @param thinking whether it thinks before it speaks
     * @throws dev.millrace.udfs.agent.TemplateException when a template can't be read
     */
    public MiniSweRenderer(
            ChatFamily family, TextTokenizer tokenizer, boolean thinking, MiniSweSpec spec) {
        this.spec = spec;
        this.texts = new MiniSweTexts(spec);
        this.conversation = new QwenConversation(family, tokenizer, thinking);
        this.calls = new BashCalls(family.xml());
    }

    /**
     * Fills every template in once.
     *
     * @throws dev.millrace.udfs.agent.TemplateException when one asks for what there is not
     */
    public static void check(MiniSweSpec spec) {
        new MiniSweTexts(spec).check();
    }

    @Override
    public int[] start(String instruction) {
        return conversation.start(
                texts.system(instruction), texts.instance(instruction), !spec.fenced());
    }

    /**
     * {@inheritDoc}
     *
     * <p>A turn that was cut off is run all the same, when its actions are whole.
     */
    @Override
    public Action parse(int[] completion, boolean stopped) {
        String answer = conversation.answer(completion);
        return spec.fenced() ? fenced(answer, stopped) : called(answer, stopped);
    }

    private Action fenced(String answer, boolean stopped) {
        List<String> actions = FencedActions.find(answer, spec.fence());
        if (actions.size() == 1 && actions.get(0).indexOf('\0') < 0) {
            return Action.commands(actions);
        }
        String error =
                actions.size() == 1
                        ? "the command holds a NUL"
                        : "expected exactly one action, found " + actions.size();
        return malformed(texts.malformed(error, actions, stopped, false));
    }

    private Action called(String answer, boolean stopped) {
        try {
            return Action.commands(calls.commands(answer));
        } catch (MalformedCallException e) {
            boolean any = BashCalls.any(answer);
            return malformed(texts.malformed(e.getMessage(), List.of(), stopped, any));
        }
    }

    private static Action malformed(String feedback) {
        return new Action(Action.Kind.FORMAT_ERROR, "", feedback);
    }

    @Override
    public int[] observe(int[] completion, boolean stopped, String observation, int nextTurn) {
        return observe(completion, stopped, observation, nextTurn, 0, 1);
    }

    @Override
    public int[] observe(
            int[] completion,
            boolean stopped,
            String observation,
            int nextTurn,
            int part,
            int parts) {
        return spec.fenced()
                ? conversation.user(completion, observation)
                : conversation.response(completion, observation, part, parts);
    }

    @Override
    public Reply reply(int[] completion, boolean stopped, String feedback, int nextTurn) {
        return spec.keepMalformed()
                ? new Reply(0, conversation.user(completion, feedback))
                : conversation.userInstead(completion, feedback);
    }

    @Override
    public String describe(ExecResult result) {
        return texts.observation(result);
    }

    @Override
    public String describeUnexecuted() {
        return texts.unexecuted();
    }

    @Override
    public Optional<HandedIn> handedIn(ExecResult result) {
        byte[] output = result.output();
        String text = new String(output, StandardCharsets.UTF_8);
        OptionalInt begin = Submission.begin(text, result.exitCode());
        if (begin.isEmpty()) {
            return Optional.empty();
        }
        // What stands before it is whole characters only, so it has the same place among the bytes.
        int first = text.substring(0, begin.getAsInt()).getBytes(StandardCharsets.UTF_8).length;
        boolean fits =
                result.totalOutputBytes() == output.length
                        && output.length - first <= spec.mostSubmissionBytes();
        return Optional.of(
                new HandedIn(fits ? Arrays.copyOfRange(output, first, output.length) : null));
    }

    @Override
    public CommandRules rules() {
        return new CommandRules(spec.environment(), spec.mostSubmissionBytes() + BESIDE_SUBMISSION);
    }
}
