package dev.millrace.pipeline.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.harbor.ImageMapping;
import java.lang.reflect.RecordComponent;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Every setting is read, is written, and has a default that is known here or is required. */
class RecipeMappingTest {
    /** A recipe whose every value differs from its default. */
    private static final String FULL =
            """
            run: {name: full, seed: 77, clients: 2, clientWeights: "2,1"}
            tasks:
              {source: dataset, path: data/rows, train: 11, validation: 12, test: 13,
               evalSplit: validation, variables: "HOME,LANG", subset: train-4,
               evalSubset: eval-4, strict: true, curriculum: true}
            rollout:
              {slots: 32, groupSize: 16, temperature: 0.9, maxTurns: 5, maxTokensPerTurn: 48,
               contextTokens: 512, execTimeout: 7s, attemptTimeout: 40s, maxTries: 4,
               maxFormatErrors: 3, groupDeadline: 6m}
            agent:
              {format: mini_swe_agent, actions: fenced, fence: act, malformedTurns: keep,
               environment: "A=b,C=", submissionKb: 7, systemTemplate: s.txt,
               instanceTemplate: i.txt, observationTemplate: o.txt, formatErrorTemplate: f.txt}
            grading: {slots: 5, timeout: 21s, minValidAttempts: 7, truncated: zero,
                      reusedVerdicts: 8}
            train:
              {steps: 41, groupsPerBatch: 16, groupsPerMinibatch: 8, passes: 3, maxLag: 2,
               learningRate: 5e-4, beta1: 0.8, beta2: 0.99, epsilon: 1e-6,
               clipLow: 0.7, clipHigh: 1.5,
               maxGradientNorm: 2, klCoef: 0.01, constantGroups: keep, saveEverySteps: 6,
               stepTimeout: 9m, placement: gpu(H200)}
            eval: {everySteps: 10, attempts: 5, slots: 16, greedy: false}
            policy:
              backend: tinker
              tinker:
                {baseUrl: "https://host/x", baseModel: m, rank: 8, family: qwen3, tokenizer: t, thinking: false,
                 system: "Do it: now."}
              model: {width: 64, layers: 3, heads: 8}
              warmUp:
                {target: 0.5, maxSteps: 80, minSteps: 31, checkEverySteps: 6, checkTasks: 65,
                 demonstrations: 300, hastyShare: 0.25, batch: 16, learningRate: 0.002}
            sandbox:
              {provider: docker, memoryMb: 300, processes: 65, diskMb: 33, cpus: 2.0,
               preparation: {variables: "LANG,HOME", files: "/etc/pip.conf,/etc/apt", memoryMb: 400,
                             diskMb: 200},
               docker: {socket: /run/other.sock, image: "team/image:3", taskImages: true, user: "7:8",
                        shell: /bin/bash, sizedDisk: false},
               modal: {server: "https://other.example", app: swe, environment: dev,
                       image: "team/image:4", layers: "RUN one", builderVersion: "2025.06",
                       user: "9:10", shell: /bin/dash, createsPerSecond: 2.0,
                       mostSandboxes: 99, lifetime: 2h}}
            controls: {shuffleRewards: true, foreignObservations: true}
            limits:
              maxMinutes: 31
              starvationLimit: 7
              minFreeDiskMb: 2048
              noProgressAfter: 61s
              effects:
                {boot: 3m, sample: 4m, execGrace: 11s, capture: 2m, gradingGrace: 6m,
                 terminate: 31s, terminateTries: 11, patience: 12m, backoff: 501ms,
                 sandboxTtl: 7m, createsPerSecond: 2.5, quarantineAfter: 4,
                 quarantineTaskAfter: 5, quarantine: 13m}
            flink:
              {parallelism: 4, checkpointInterval: 3s, webPort: 8082, managedMemoryMb: 300,
               slotHeapMb: 301, slotManagedMb: 129, slotCpus: 0.5}
            kafka: {bootstrap: "a:9092,b:9092", properties: client.properties}
            """;

    /** Settings with one possible value so far, or that another setting pins. */
    private static final List<String> ONE_VALUE =
            List.of(
                    "run.determinism",
                    "tasks.topic",
                    "tasks.root",
                    "sandbox.images",
                    "sandbox.preparation.network",
                    "sandbox.modal.taskImages");

    @Test
    void readsEveryKeyIntoItsOwnComponent() throws SettingsException {
        Map<String, Object> full = values(RecipeReader.parse("full.yaml", FULL, List.of()));
        for (SettingKey key : RecipeReader.SCHEMA.keys()) {
            if (!ONE_VALUE.contains(key.path())) {
                assertThat(full.get(key.path()))
                        .as("%s is read from the recipe and differs from its default", key.path())
                        .isNotEqualTo(key.fallback());
            }
        }
        assertThat(full).containsEntry("rollout.maxTurns", 5).containsEntry("train.beta2", 0.99);
    }

    @Test
    void onlyWhatNobodyCanGuessIsRequired() {
        assertThat(RecipeReader.SCHEMA.keys().stream().filter(SettingKey::required))
                .extracting(SettingKey::path)
                .containsExactly("run.name", "tasks.source", "train.steps");
    }

    @Test
    void everyDefaultIsAllowed() {
        for (SettingKey key : RecipeReader.SCHEMA.keys()) {
            if (!key.required()) {
                assertThat(key.refusal(key.fallback())).as(key.path()).isEmpty();
            }
        }
    }

    @Test
    void aWrittenRecipeReadsBackTheSame() throws SettingsException {
        Recipe full = RecipeReader.parse("full.yaml", FULL, List.of("tasks.path=a \"b\": #c\\"));
        Recipe again = RecipeReader.parse("config.yaml", full.toYaml(), List.of());
        assertThat(again).isEqualTo(full);
        assertThat(again.digest()).isEqualTo(full.digest()).hasSize(64);
    }

    @Test
    void noOtherLimitEndsAVerifierBeforeItsOwn() throws SettingsException {
        for (String timeout : List.of("1000s", "12h")) {
            Recipe recipe =
                    RecipeReader.parse(
                            "full.yaml",
                            FULL,
                            List.of(
                                    "grading.timeout=" + timeout,
                                    "limits.effects.gradingGrace=1m"));
            Duration verifier = recipe.grading().timeout();
            EffectLimits limits = recipe.limits().effects().limits(verifier);
            assertThat(limits.grade()).isEqualTo(verifier.plusMinutes(1).toMillis());
        }
    }

    @Test
    void groupsOfEqualRewardsAreKeptWhenThePenaltyCountsForThem() throws SettingsException {
        assertThat(keeps("train.constantGroups=auto", "train.klCoef=0.01")).isTrue();
        assertThat(keeps("train.constantGroups=auto", "train.klCoef=0")).isFalse();
        assertThat(keeps("train.constantGroups=drop", "train.klCoef=0.01")).isFalse();
        assertThatThrownBy(() -> keeps("train.constantGroups=keep", "train.klCoef=0"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("train.constantGroups: is keep");
    }

    @Test
    void imagesAreForBubblewrapAndPreparationIsForImages() throws SettingsException {
        List<String> here =
                List.of(
                        "sandbox.provider=bubblewrap",
                        "sandbox.docker.taskImages=false",
                        "sandbox.images=python:3*=/images/python,*=/images/rest.tar",
                        "sandbox.preparation.network=true");
        SandboxSettings sandbox = RecipeReader.parse("full.yaml", FULL, here).sandbox();
        assertThat(sandbox.preparation().granted().network()).isTrue();
        assertThat(sandbox.preparation().granted().files())
                .containsExactly("/etc/pip.conf", "/etc/apt");
        assertThat(sandbox.preparation().granted().limits().diskMb()).isEqualTo(200);
        assertThatThrownBy(
                        () -> RecipeReader.parse("full.yaml", FULL, List.of("sandbox.images=a=/b")))
                .hasMessageContaining("sandbox.images: is only used when sandbox.provider");
        assertThatThrownBy(
                        () ->
                                RecipeReader.parse(
                                        "full.yaml",
                                        FULL,
                                        List.of("sandbox.preparation.network=true")))
                .hasMessageContaining("sandbox.preparation.network: is only used with");
        assertThatThrownBy(
                        () ->
                                RecipeReader.parse(
                                        "full.yaml", FULL, List.of("sandbox.images=python")))
                .hasMessageContaining("PATTERN=/PATH");
    }

    @Test
    void dockerNeedsAnImage() {
        assertThatThrownBy(
                        () ->
                                RecipeReader.parse(
                                        "full.yaml", FULL, List.of("sandbox.docker.image=")))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("sandbox.docker.image: is missing");
    }

    @Test
    void modalNeedsAnImage() {
        List<String> overrides =
                List.of(
                        "sandbox.provider=modal",
                        "sandbox.docker.taskImages=false",
                        "sandbox.modal.image=");
        assertThatThrownBy(() -> RecipeReader.parse("full.yaml", FULL, overrides))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("sandbox.modal.image: is missing");
    }

    @Test
    void tasksHaveTheirOwnImagesOnlyWhereTheProviderIsToGetThem() throws SettingsException {
        List<String> modal =
                List.of(
                        "sandbox.provider=modal",
                        "sandbox.docker.taskImages=false",
                        "sandbox.modal.taskImages=true");
        for (List<String> overrides : List.of(modal, List.<String>of())) {
            SandboxSettings sandbox = RecipeReader.parse("full.yaml", FULL, overrides).sandbox();
            assertThat(sandbox.imageMapping()).isSameAs(ImageMapping.AS_NAMED);
        }
        assertThatThrownBy(() -> keeps("sandbox.provider=bubblewrap"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("sandbox.docker.taskImages: is only used when");
        assertThatThrownBy(() -> keeps("sandbox.modal.taskImages=true"))
                .hasMessageContaining("sandbox.modal.taskImages: is only used when");
        assertThatThrownBy(
                        () -> keeps("tasks.source=generated", "tasks.path=", "tasks.evalSubset="))
                .hasMessageContaining("sandbox.docker.taskImages: is true, but tasks.source");
    }

    private static boolean keeps(String... overrides) throws SettingsException {
        return RecipeReader.parse("full.yaml", FULL, List.of(overrides))
                .train()
                .keepsConstantGroups();
    }

    private static Map<String, Object> values(Recipe recipe) {
        Map<String, Object> values = new LinkedHashMap<>();
        collect(recipe, "", values);
        return values;
    }

    private static void collect(Object settings, String prefix, Map<String, Object> into) {
        for (RecordComponent component : settings.getClass().getRecordComponents()) {
            Object value = RecipeWriter.value(settings, component);
            String path = prefix + component.getName();
            if (value instanceof Record) {
                collect(value, path + ".", into);
            } else {
                into.put(path, value);
            }
        }
    }
}
