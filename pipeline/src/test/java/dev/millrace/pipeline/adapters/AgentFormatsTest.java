package dev.millrace.pipeline.adapters;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.render.MiniSweSpec;
import dev.millrace.pipeline.settings.AgentSettings;
import dev.millrace.pipeline.settings.RecipeReader;
import dev.millrace.pipeline.settings.SettingsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AgentFormatsTest {
    private static final Path DEMO = Path.of("../recipes/demo.yaml");

    @TempDir private Path folder;

    private static AgentSettings settings(String... overrides) throws SettingsException {
        List<String> all =
                new ArrayList<>(
                        List.of(
                                "agent.format=mini_swe_agent",
                                "policy.backend=tinker",
                                "policy.tinker.baseModel=m",
                                "policy.tinker.tokenizer=t"));
        all.addAll(List.of(overrides));
        return RecipeReader.read(List.of(DEMO), all).agent();
    }

    @Test
    void aRecipeSaysHowAgentsWork() throws Exception {
        MiniSweSpec spec =
                AgentFormats.miniSwe(settings("agent.actions=fenced", "agent.environment=A=b,C="));
        assertThat(spec.fenced()).isTrue();
        assertThat(spec.keepMalformed()).isFalse();
        assertThat(spec.mostSubmissionBytes()).isEqualTo(1 << 20);
        assertThat(spec.environment()).containsEntry("A", "b").containsEntry("C", "").hasSize(2);
        assertThat(settings().variables()).containsEntry("LESS", "-R").hasSize(5);
        assertThat(AgentFormats.miniSwe(settings("agent.format=tool"))).isNull();
    }

    @Test
    void templatesOfAUserAreReadAndTriedBeforeARun() throws Exception {
        Path file = Files.writeString(folder.resolve("i.txt"), "Do:\n{{ task }}{{ tsak }}\n");
        assertThat(AgentFormats.refusal(settings("agent.instanceTemplate=" + file)))
                .hasValue("agent: the instance template, line 2: there is no value 'tsak'");
        Files.writeString(file, "Do: {{ task }}");
        AgentSettings mended = settings("agent.instanceTemplate=" + file);
        assertThat(AgentFormats.refusal(mended)).isEmpty();
        assertThat(AgentFormats.miniSwe(mended).texts().instance()).isEqualTo("Do: {{ task }}");
        assertThat(AgentFormats.refusal(settings("agent.systemTemplate=/none")))
                .hasValue("agent.systemTemplate: /none can't be read");
    }

    @Test
    void thePolicyMustWriteText() {
        assertThatThrownBy(() -> settings("policy.backend=embedded"))
                .isInstanceOf(SettingsException.class)
                .hasMessageContaining("agent.format: is mini_swe_agent, which needs a policy that");
    }
}
