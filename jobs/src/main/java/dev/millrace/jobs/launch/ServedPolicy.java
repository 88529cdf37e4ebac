package dev.millrace.jobs.launch;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TaskEnvironment;
import dev.millrace.backends.tinker.ServerCheck;
import dev.millrace.backends.tinker.ServerRefusedException;
import dev.millrace.backends.tinker.ServerTraits;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.adapters.AgentFormats;
import dev.millrace.pipeline.adapters.EmbeddedBackends;
import dev.millrace.pipeline.adapters.TinkerPolicy;
import dev.millrace.pipeline.settings.PolicySettings;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.udfs.model.Task;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/** A run's policy that lives on a server: looked at before the run starts. Blocks. */
public final class ServedPolicy {
    private final Recipe recipe;
    private final TinkerPolicy policy;

    private ServedPolicy(Recipe recipe, TinkerPolicy policy) {
        this.recipe = recipe;
        this.policy = policy;
    }

    /** Whether a run's policy lives on a server. */
    static boolean isAskedForBy(Recipe recipe) {
        return recipe.policy().backend() == PolicySettings.Backend.TINKER;
    }

    /** Why a run can't start with its server, as far as that can be seen without training. */
    public static Optional<String> refusal(Recipe recipe) {
        if (!isAskedForBy(recipe)) {
            return Optional.empty();
        }
        Optional<String> agent = AgentFormats.refusal(recipe.agent());
        if (agent.isPresent()) {
            return agent;
        }
        try {
            new ServerCheck(TinkerPolicy.of(recipe).server()).reachable();
            return Optional.empty();
        } catch (IOException | IllegalArgumentException e) {
            return Optional.of("policy.tinker.tokenizer: " + e.getMessage());
        } catch (ServerRefusedException e) {
            return Optional.of(e.getMessage());
        }
    }

    /**
     * The policy, as its server turned out to treat it.
     *
     * @throws BadInputException when tasks don't fit into the context, or the server can't do what
     *     the run needs
     */
    static TinkerPolicy of(
            Recipe recipe,
            TaskCatalogue catalogue,
            EmbeddedBackends backends,
            Consumer<String> progress)
            throws IOException {
        Optional<String> refusal = refusal(recipe);
        if (refusal.isPresent()) {
            throw new BadInputException(refusal.get());
        }
        ServedPolicy served = new ServedPolicy(recipe, TinkerPolicy.of(recipe));
        served.fit(catalogue, backends);
        return served.probed(progress);
    }

    /** Every task must leave room for at least one turn. */
    private void fit(TaskCatalogue catalogue, EmbeddedBackends backends) {
        int context = recipe.rollout().contextTokens();
        var renderer = policy.renderer();
        try (TaskEnvironment tasks = backends.tasks("prompts")) {
            for (Task task : catalogue.tasks()) {
                int prompt = renderer.start(tasks.instruction(task)).length;
                if (prompt >= context) {
                    throw new BadInputException(
                            "rollout.contextTokens: "
                                    + context
                                    + " is too small for the prompt of task "
                                    + task.taskId()
                                    + ", which has "
                                    + prompt
                                    + " tokens");
                }
            }
        } catch (SandboxException e) {
            throw new BadInputException("a task can't be read: " + e.getMessage());
        }
    }

    private TinkerPolicy probed(Consumer<String> progress) {
        progress.accept("seeing how the server at " + policy.server().baseUrl() + " behaves");
        ServerTraits traits;
        try {
            traits = new ServerCheck(policy.server()).probe(recipe.run().clients());
        } catch (ServerRefusedException e) {
            throw new BadInputException(e.getMessage());
        }
        if (!traits.immutablePublications() && !recipe.run().lockstep()) {
            throw new BadInputException(
                    "policy.tinker.baseUrl: this server changes policies that it has published"
                            + " while training goes on, so attempts of an older policy would"
                            + " spoil the run; add --set run.determinism=lockstep --set"
                            + " train.maxLag=0, which never uses one");
        }
        if (!traits.immutablePublications()) {
            progress.accept(
                    "the server changes what it has published: in lockstep, nothing older than"
                            + " the newest policy is used");
        }
        if (!traits.repeatsSafely()) {
            progress.accept(
                    "the server does not know repeated calls again: a lost answer ends a trainer"
                            + " session");
        }
        return policy.with(traits);
    }
}
