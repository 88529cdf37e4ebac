package dev.millrace.pipeline.settings;

import dev.millrace.udfs.model.Split;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Settings that are fine alone and wrong together. */
final class RecipeChecks {

    /**
     * Settings that don't go together.
     *
     * @param keys those that take part; the first is the one to change
     * @param message what is wrong, said of the first
     */
    record Conflict(List<String> keys, String message) {
        String key() {
            return keys.get(0);
        }
    }

    private final List<Conflict> found = new ArrayList<>();

    private RecipeChecks() {}

    static List<Conflict> conflicts(Recipe recipe) {
        RecipeChecks checks = new RecipeChecks();
        checks.run(recipe.run());
        checks.tasks(recipe.tasks());
        checks.taskTopic(recipe);
        checks.rollout(recipe);
        checks.train(recipe);
        checks.policy(recipe.policy());
        checks.agent(recipe);
        checks.sandbox(recipe.sandbox());
        checks.taskImages(recipe);
        checks.lockstep(recipe);
        return checks.found;
    }

    private void run(RunSettings run) {
        int weights = run.weights().size();
        refuse(
                weights != run.clients(),
                "has " + weights + " weights, but run.clients is " + run.clients(),
                "run.clientWeights",
                "run.clients");
    }

    private void tasks(TaskSettings tasks) {
        boolean folder = tasks.source() != TaskSettings.Source.GENERATED;
        boolean dataset = tasks.source() == TaskSettings.Source.DATASET;
        refuse(
                folder && tasks.path().isEmpty(),
                "is missing: tasks.source is " + (dataset ? "dataset" : "folder"),
                "tasks.path",
                "tasks.source");
        refuse(
                !folder && !tasks.path().isEmpty(),
                "is only used when tasks.source is folder or dataset",
                "tasks.path",
                "tasks.source");
        refuse(
                !dataset && !tasks.evalSubset().isEmpty(),
                "is only used when tasks.source is dataset",
                "tasks.evalSubset",
                "tasks.source");
        refuse(
                tasks.evalSplit() == Split.TRAIN,
                "is train, but a policy is measured on held-out tasks: validation or test",
                "tasks.evalSplit");
        refuse(
                !folder && tasks.evalSplit() == Split.TEST && tasks.test() == 0,
                "is 0, but tasks.evalSplit asks for test tasks",
                "tasks.test",
                "tasks.evalSplit",
                "tasks.source");
        refuse(
                !folder && tasks.evalSplit() == Split.VALIDATION && tasks.validation() == 0,
                "is 0, but tasks.evalSplit asks for validation tasks",
                "tasks.validation",
                "tasks.evalSplit",
                "tasks.source");
    }

    private void sandbox(SandboxSettings sandbox) {
        boolean docker = sandbox.provider() == SandboxSettings.Provider.DOCKER;
        refuse(
                docker && sandbox.docker().image().isEmpty(),
                "is missing: sandbox.provider is docker",
                "sandbox.docker.image",
                "sandbox.provider");
        boolean images = !sandbox.images().isEmpty();
        refuse(
                images && sandbox.provider() != SandboxSettings.Provider.BUBBLEWRAP,
                "is only used when sandbox.provider is bubblewrap",
                "sandbox.images",
                "sandbox.provider");
        refuse(
                sandbox.preparation().network() && !images,
                "is only used with sandbox.images",
                "sandbox.preparation.network",
                "sandbox.images");
        boolean modal = sandbox.provider() == SandboxSettings.Provider.MODAL;
        refuse(
                modal && sandbox.modal().image().isEmpty(),
                "is missing: sandbox.provider is modal",
                "sandbox.modal.image",
                "sandbox.provider");
    }

    private void taskImages(Recipe recipe) {
        SandboxSettings sandbox = recipe.sandbox();
        boolean generated = recipe.tasks().source() == TaskSettings.Source.GENERATED;
        taskImages(
                sandbox.docker().taskImages(), SandboxSettings.Provider.DOCKER, sandbox, generated);
        taskImages(
                sandbox.modal().taskImages(), SandboxSettings.Provider.MODAL, sandbox, generated);
    }

    private void taskImages(
            boolean wanted,
            SandboxSettings.Provider provider,
            SandboxSettings sandbox,
            boolean generated) {
        String name = provider.name().toLowerCase(Locale.ROOT);
        String key = "sandbox." + name + ".taskImages";
        refuse(
                wanted && sandbox.provider() != provider,
                "is only used when sandbox.provider is " + name,
                key,
                "sandbox.provider");
        refuse(
                wanted && generated,
                "is true, but tasks.source is generated, and such tasks name no images",
                key,
                "tasks.source");
    }

    /** What can't be had of a topic that others write. */
    private void taskTopic(Recipe recipe) {
        TaskSettings tasks = recipe.tasks();
        boolean topic = tasks.fromTopic();
        refuse(topic && tasks.root().isEmpty(), "is missing", "tasks.root", "tasks.topic");
        refuse(
                !topic && !tasks.root().isEmpty(),
                "is only used with tasks.topic",
                "tasks.root",
                "tasks.topic");
        refuse(
                topic && !tasks.root().isEmpty() && !Path.of(tasks.root()).isAbsolute(),
                "must be an absolute path: every machine reads below it",
                "tasks.root",
                "tasks.topic");
        refuse(
                topic && tasks.curriculum(),
                "must be false: rows of tasks.topic are played once, as they arrive",
                "tasks.curriculum",
                "tasks.topic");
        refuse(
                topic && !tasks.subset().isEmpty(),
                "chooses among tasks of files, but tasks.topic is set",
                "tasks.subset",
                "tasks.topic");
        refuse(
                topic && recipe.kafka().embedded(),
                "is embedded, but tasks.topic is in a Kafka cluster: give its brokers",
                "kafka.bootstrap",
                "tasks.topic");
        refuse(
                topic && recipe.run().clients() > 1,
                "is read by one run, because each row is played once, but run.clients is "
                        + recipe.run().clients(),
                "tasks.topic",
                "run.clients");
        refuse(
                tasks.topic().startsWith(recipe.run().name() + "."),
                "must not be a topic of the run itself: those begin with run.name and a dot",
                "tasks.topic",
                "run.name");
    }

    private void rollout(Recipe recipe) {
        RolloutSettings rollout = recipe.rollout();
        refuse(
                rollout.contextTokens() <= rollout.maxTokensPerTurn(),
                "must be more than rollout.maxTokensPerTurn, which is "
                        + rollout.maxTokensPerTurn(),
                "rollout.contextTokens",
                "rollout.maxTokensPerTurn");
        refuse(
                rollout.execTimeout().compareTo(rollout.attemptTimeout()) > 0,
                "must not be longer than rollout.attemptTimeout, which is "
                        + SettingType.text(rollout.attemptTimeout()),
                "rollout.execTimeout",
                "rollout.attemptTimeout");
        refuse(
                rollout.groupDeadline().compareTo(rollout.attemptTimeout()) < 0,
                "must not be shorter than rollout.attemptTimeout, which is "
                        + SettingType.text(rollout.attemptTimeout()),
                "rollout.groupDeadline",
                "rollout.attemptTimeout");
        refuse(
                recipe.grading().minValidAttempts() > rollout.groupSize(),
                "must not be more than rollout.groupSize, which is " + rollout.groupSize(),
                "grading.minValidAttempts",
                "rollout.groupSize");
        refuse(
                recipe.eval().slots() > rollout.slots(),
                "must not be more than rollout.slots, which is " + rollout.slots(),
                "eval.slots",
                "rollout.slots");
    }

    private void train(Recipe recipe) {
        TrainSettings train = recipe.train();
        refuse(
                train.groupsPerBatch() % train.groupsPerMinibatch() != 0,
                "must be a multiple of train.groupsPerMinibatch, which is "
                        + train.groupsPerMinibatch(),
                "train.groupsPerBatch",
                "train.groupsPerMinibatch");
        refuse(
                train.constantGroups() == TrainSettings.ConstantGroups.KEEP && train.klCoef() == 0,
                "is keep, but without train.klCoef no term of the loss counts for such groups",
                "train.constantGroups",
                "train.klCoef");
        refuse(
                train.clipLow() >= 1,
                "must be less than 1: it bounds the ratio from below",
                "train.clipLow");
        refuse(
                train.clipHigh() <= 1,
                "must be more than 1: it bounds the ratio from above",
                "train.clipHigh");
    }

    private void policy(PolicySettings policy) {
        refuse(
                policy.model().width() % policy.model().heads() != 0,
                "must divide policy.model.width, which is " + policy.model().width(),
                "policy.model.heads",
                "policy.model.width");
        boolean served = policy.backend() == PolicySettings.Backend.TINKER;
        refuse(
                served && policy.tinker().baseModel().isEmpty(),
                "is missing: policy.backend is tinker",
                "policy.tinker.baseModel",
                "policy.backend");
        refuse(
                served && policy.tinker().tokenizer().isEmpty(),
                "is missing: policy.backend is tinker, and text must become tokens here",
                "policy.tinker.tokenizer",
                "policy.backend");
    }

    private void agent(Recipe recipe) {
        refuse(
                recipe.agent().isMiniSweAgent()
                        && recipe.policy().backend() == PolicySettings.Backend.EMBEDDED,
                "is mini_swe_agent, which needs a policy that writes text, but policy.backend is"
                        + " embedded",
                "agent.format",
                "policy.backend");
    }

    /** What would make the weights depend on time. */
    private void lockstep(Recipe recipe) {
        boolean lockstep = recipe.run().lockstep();
        refuse(
                lockstep && recipe.train().maxLag() != 0,
                "must be 0: run.determinism is lockstep",
                "train.maxLag",
                "run.determinism");
        refuse(
                lockstep && recipe.controls().foreignObservations(),
                "must be false: which observations are at hand depends on time, and"
                        + " run.determinism is lockstep",
                "controls.foreignObservations",
                "run.determinism");
        refuse(
                lockstep && recipe.tasks().curriculum(),
                "must be false: which groups close first depends on time, and run.determinism is"
                        + " lockstep",
                "tasks.curriculum",
                "run.determinism");
    }

    private void refuse(boolean wrong, String message, String... keys) {
        if (wrong) {
            found.add(new Conflict(List.of(keys), message));
        }
    }
}
