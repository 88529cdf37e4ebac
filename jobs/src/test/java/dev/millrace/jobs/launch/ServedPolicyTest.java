package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.settings.RecipeReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ServedPolicyTest {
    private static final Path DEMO = Path.of("../recipes/demo.yaml");
    private static final String TOKENIZER = "../backends/src/test/resources/render/tokenizer.json";

    @TempDir private Path folder;
    private final List<String> said = new ArrayList<>();
    private FakeTinkerServer server;

    @BeforeEach
    void start() throws IOException {
        server =
                new FakeTinkerServer(
                        new ServerShape("fake/bigram", 300, 4_096, 7, 8, 4, "", 60_000, 300));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Recipe recipe(String... overrides) throws Exception {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "policy.backend=tinker",
                                "policy.tinker.baseUrl=" + server.url(),
                                "policy.tinker.baseModel=fake/bigram",
                                "policy.tinker.rank=4",
                                "policy.tinker.tokenizer=" + TOKENIZER,
                                "rollout.contextTokens=4096",
                                "tasks.train=3",
                                "tasks.validation=1",
                                "tasks.test=1"));
        all.addAll(List.of(overrides));
        return RecipeReader.read(List.of(DEMO), all);
    }

    private RunPreparation prepare(Recipe recipe) throws Exception {
        return RunPreparation.of(
                recipe,
                new RunFolder(folder.resolve("run")),
                folder.resolve("scratch").toString(),
                false,
                said::add);
    }

    @Test
    void startsFromTheServersModel() throws Exception {
        RunPreparation preparation = prepare(recipe());
        preparation.identify();
        assertThat(preparation.identity().initialStateUri()).isEmpty();
        assertThat(preparation.identity().reference().uri()).contains("fake/bigram");
        assertThat(said).hasSize(1);
    }

    @Test
    void refusesAContextThatIsTooSmallForAPrompt() throws Exception {
        Recipe recipe = recipe("rollout.contextTokens=100", "rollout.maxTokensPerTurn=20");
        assertThatThrownBy(() -> prepare(recipe))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("rollout.contextTokens: 100 is too small for the prompt of");
        assertThat(server.counts().createdModels()).isZero();
    }

    @Test
    void refusesMoreRunsThanTheServerHasSlotsFor() throws Exception {
        Recipe five = recipe("run.clients=5");
        assertThatThrownBy(() -> prepare(five))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("run.clients: 5 runs need an adapter slot each")
                .hasMessageContaining("set run.clients to at most 4");
        assertThat(server.counts().loadedModels()).isZero();
    }

    @Test
    void refusesAServerThatChangesWhatItPublished() throws Exception {
        server.faults().overwritesPublications();
        Recipe free = recipe();
        assertThatThrownBy(() -> prepare(free))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("run.determinism=lockstep");
    }

    @Test
    void saysThatLockstepMakesUpForSuchAServer() throws Exception {
        server.faults().overwritesPublications();
        prepare(recipe("run.determinism=lockstep", "train.maxLag=0")).identify();
        assertThat(said).anyMatch(line -> line.contains("changes what it has published"));
    }

    @Test
    void saysBeforeTheStartWhatIsWrongWithServerOrTokenizer() throws Exception {
        assertThat(ServedPolicy.refusal(recipe())).isEmpty();
        assertThat(ServedPolicy.refusal(RecipeReader.read(List.of(DEMO), List.of()))).isEmpty();
        assertThat(refusal("policy.tinker.tokenizer=/none.json"))
                .hasValueSatisfying(
                        why -> assertThat(why).contains("policy.tinker.tokenizer", "/none.json"));
        assertThat(refusal("policy.tinker.baseModel=other"))
                .hasValueSatisfying(why -> assertThat(why).contains("other is not served"));
        assertThat(refusal("policy.tinker.baseUrl=http://127.0.0.1:1"))
                .hasValueSatisfying(why -> assertThat(why).contains("policy.tinker.baseUrl"));
    }

    private Optional<String> refusal(String override) throws Exception {
        return ServedPolicy.refusal(recipe(override));
    }
}
