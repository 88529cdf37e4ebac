package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxLimits;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What keys of a task's file mean, old and new, and what is made of those that mean nothing. */
final class TaskKeysTest {
    private static final SandboxLimits MOST = new SandboxLimits(64, 1 << 20, 512, 1 << 20);

    private final HarborTaskLoader loader =
            new HarborTaskLoader(SandboxLimits.SMALL, MOST, Map.of());

    @TempDir Path folder;

    @ParameterizedTest
    @CsvSource({
        "2G, 2048",
        "1.5G, 1536",
        "300M, 300",
        "2048K, 2",
        "1K, 1",
        "1536k, 2",
        "4 GB, 4096"
    })
    void oldSizesHaveUnitsOf1024(String size, int megabytes) throws Exception {
        HarborTask task =
                load("[environment]\nmemory = \"%1$s\"\nstorage = \"%1$s\"\n".formatted(size));
        assertThat(task.limits().memoryMb()).isEqualTo(megabytes);
        assertThat(task.limits().diskMb()).isEqualTo(megabytes);
    }

    @Test
    void anOldSizeMayRepeatANewOne() throws Exception {
        assertThat(load("[environment]\nmemory = \"2G\"\nmemory_mb = 2048\n").limits().memoryMb())
                .isEqualTo(2048);
        assertThat(refusedKeys("[environment]\nstorage = \"2G\"\nstorage_mb = 2049\n"))
                .containsExactly("environment.storage");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "allow_internet = false | false",
                "allow_internet = true | true",
                "network_mode = 'no-network' | false",
                "network_mode = 'public' | true",
                "network_mode = 'public'\\nallow_internet = false | true",
                "cpus = 1 | true"
            })
    void theOldWordForTheNetworkCountsWithoutTheNewOne(String lines, boolean asked)
            throws Exception {
        HarborTask task = load("[environment]\n" + lines.replace("\\n", "\n") + "\n");
        assertThat(task.notes().contains("a network is asked for and there is none"))
                .isEqualTo(asked);
    }

    @ParameterizedTest
    @CsvSource({
        "example.com, true",
        "EXAMPLE.com., true",
        "*.example.com, true",
        "localhost, true",
        "https://example.com, false",
        "example.com:443, false",
        "example.com/path, false",
        "*, false",
        "a.*.com, false",
        "'', false",
        "-a.com, false"
    })
    void hostsAreNamesOrAllNamesBelowOne(String entry, boolean host) {
        String toml =
                "[environment]\nnetwork_mode = \"allowlist\"\nallowed_hosts = [\"a.b\", \"%s\"]\n";
        List<String> keys = refusedKeys(toml.formatted(entry));
        assertThat(keys).contains("environment.network_mode");
        assertThat(keys.contains("environment.allowed_hosts[1]")).isEqualTo(!host);
    }

    @Test
    void keysWithoutAMeaningAreIgnoredAndNamed() throws Exception {
        HarborTask task =
                load(
                        "colour = 1\nschema_version = \"1.9\"\nsource = \"x\"\n[metadata]\nany ="
                                + " 1\n[agent]\nmood = \"x\"\ntimeout_sec = 5\n[environment]\n"
                                + "allow_internet = false\n[environment.healthcheck]\ncommand ="
                                + " \"true\"\ntries = 4\n");
        assertThat(task.notes())
                .contains(
                        "keys without a meaning are ignored: agent.mood, colour,"
                                + " environment.healthcheck.tries");
        assertThat(task.agentTimeoutMillis()).isEqualTo(5_000);
        assertThat(load("[agent]\ntimeout_sec = 5\n").notes())
                .noneMatch(note -> note.contains("meaning"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"org/a.b-c_d", "plain", "1/2"})
    void namesAreWordsWithAnOwnerOrWithout(String name) throws Exception {
        assertThat(load("[task]\nname = \"" + name + "\"\n").name()).isEqualTo(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {".hidden", "org/.hidden", "a/b/c", "a..b", "org/a..b", "a b", "", "/a"})
    void otherNamesAreRefused(String name) {
        assertThat(refusedKeys("[task]\nname = \"" + name + "\"\n")).containsExactly("task.name");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "<!-- A Canary 1 -->\\nDo it.\\n | Do it.\\n",
                "# canary: 1\\n# CANARY 2\\n\\n\\nDo it.\\n | Do it.\\n",
                "# canary\\n<!-- note -->\\nDo it.\\n | <!-- note -->\\nDo it.\\n",
                "# Heading\\n# canary below\\n | # Heading\\n# canary below\\n",
                "A canary sings.\\n | A canary sings.\\n"
            })
    void onlyCanariesAtTheTopAreDropped(String text, String kept) throws Exception {
        TaskFolder task =
                TaskFolder.create(folder, "c").with("instruction.md", text.replace("\\n", "\n"));
        assertThat(loader.load(task.path).instruction()).isEqualTo(kept.replace("\\n", "\n"));
    }

    @Test
    void anotherNetworkForTheTestsNeedsAnEnvironmentOfTheirOwn() throws Exception {
        String closed = "[environment]\nallow_internet = false\n";
        assertThat(refusedKeys(closed + "[verifier]\nnetwork_mode = \"public\"\n"))
                .containsExactly("verifier.network_mode");
        assertThat(load(closed + "[verifier]\nnetwork_mode = \"no-network\"\n").notes())
                .noneMatch(note -> note.contains("network"));
    }

    private HarborTask load(String toml) throws Exception {
        return loader.load(TaskFolder.create(folder, "task").with("task.toml", toml).path);
    }

    private List<String> refusedKeys(String toml) {
        HarborTaskException refused =
                catchThrowableOfType(HarborTaskException.class, () -> load(toml));
        return refused.problems().stream().map(HarborProblem::key).toList();
    }
}
