package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.TinkerServerSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Settings that a run keeps for its whole life: its ids, its seeds and what its steps are made of
 * depend on them, in state and in topics. All others may change when it is resumed.
 */
final class FixedSettings {
    private static final String CLIENTS = "run.clients";
    private static final String THINKING = "policy.tinker.thinking";

    /** What held for runs that were begun when nobody could say so. */
    private static final Map<String, String> BEFORE_IT_WAS_SAID =
            Map.of(CLIENTS, "1", THINKING, "true");

    private FixedSettings() {}

    /** Those of a recipe, by key. */
    static Map<String, String> of(Recipe recipe) {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("run.name", recipe.run().name());
        fixed.put("run.seed", Long.toString(recipe.run().seed()));
        fixed.put(CLIENTS, Integer.toString(recipe.run().clients()));
        fixed.put("run.determinism", lower(recipe.run().determinism()));
        fixed.put("tasks.topic", recipe.tasks().topic());
        fixed.put("rollout.groupSize", Integer.toString(recipe.rollout().groupSize()));
        fixed.put("train.groupsPerBatch", Integer.toString(recipe.train().groupsPerBatch()));
        fixed.put(
                "train.groupsPerMinibatch", Integer.toString(recipe.train().groupsPerMinibatch()));
        fixed.put("eval.attempts", Integer.toString(recipe.eval().attempts()));
        fixed.put("policy.backend", lower(recipe.policy().backend()));
        fixed.put("policy.model.width", Integer.toString(recipe.policy().model().width()));
        fixed.put("policy.model.layers", Integer.toString(recipe.policy().model().layers()));
        fixed.put("policy.model.heads", Integer.toString(recipe.policy().model().heads()));
        if (ServedPolicy.isAskedForBy(recipe)) {
            fixed.putAll(ofServer(recipe.policy().tinker()));
            fixed.put("agent.format", lower(recipe.agent().format()));
            fixed.put("agent.actions", lower(recipe.agent().actions()));
        }
        return fixed;
    }

    /** Saved states are adapters of one model and rank; open attempts are written in one way. */
    private static Map<String, String> ofServer(TinkerServerSettings server) {
        Map<String, String> fixed = new LinkedHashMap<>();
        fixed.put("policy.tinker.baseModel", server.baseModel());
        fixed.put("policy.tinker.rank", Integer.toString(server.rank()));
        fixed.put("policy.tinker.family", lower(server.family()));
        fixed.put(THINKING, Boolean.toString(server.thinking()));
        return fixed;
    }

    /**
     * Refuses to resume a run under other ones than it was begun with.
     *
     * @throws BadInputException naming each that differs, with both values
     */
    static void refuse(RunFolder folder, Recipe recipe) throws IOException {
        if (!Files.exists(folder.identity())) {
            return;
        }
        Map<String, String> begun = RunIdentity.read(folder.identity()).fixed();
        if (begun == null) {
            return;
        }
        List<String> changed = new ArrayList<>();
        of(recipe)
                .forEach(
                        (key, now) -> {
                            String unsaid = BEFORE_IT_WAS_SAID.getOrDefault(key, now);
                            String before = begun.getOrDefault(key, unsaid);
                            if (!before.equals(now)) {
                                changed.add(key + " was " + before + " and is now " + now);
                            }
                        });
        if (!changed.isEmpty()) {
            throw new BadInputException(
                    "A run can't be resumed under other settings than it was begun with; set them"
                            + " back, or start a new run with another --output:",
                    changed);
        }
    }

    private static String lower(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
