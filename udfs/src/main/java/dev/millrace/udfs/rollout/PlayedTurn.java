package dev.millrace.udfs.rollout;

import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.Sampled;
import java.util.ArrayList;
import java.util.List;

/**
 * A turn so far.
 *
 * @param firstToken index of its first sampled token
 * @param sampled the policy's part
 * @param answers the environment's parts as far as they are known, in the order of the commands
 */
record PlayedTurn(int firstToken, Sampled sampled, List<Answer> answers) {

    /**
     * A part of the environment's.
     *
     * @param executed what came of it
     * @param effectId of the effect that gave it
     */
    record Answer(Executed executed, String effectId) {}

    /** Whether nothing of it is left to be run. */
    boolean answered() {
        return answers.size() >= sampled.parts().size()
                || answers.stream().anyMatch(answer -> answer.executed().submitted());
    }

    /** Whether it was taken out of the conversation. */
    boolean takenBack() {
        return answers.stream().anyMatch(answer -> answer.executed().takenBack() > 0);
    }

    /** The first command that has no answer yet, or what the policy is to be told. */
    String next() {
        return sampled.parts().get(answers.size());
    }

    PlayedTurn with(Answer answer) {
        List<Answer> all = new ArrayList<>(answers);
        all.add(answer);
        return new PlayedTurn(firstToken, sampled, all);
    }
}
