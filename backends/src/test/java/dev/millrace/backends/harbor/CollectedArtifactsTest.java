package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.harbor.CollectedArtifacts.Entry;
import dev.millrace.backends.port.SandboxFile;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CollectedArtifactsTest extends VerifierFixture {
    @Test
    void theFirstClaimantOfAPlaceHasIt() throws Exception {
        String artifacts =
                "artifacts = [{ source = \"/app/sign.txt\", destination = \"out/sign.txt\" }, {"
                        + " source = \"/srv/out\", destination = \"out\" }, \"/app/sign.txt\","
                        + " \"/app\", \"/gone\"]\n";
        HarborTask task = loader.load(task().with("task.toml", artifacts).path);
        CollectedArtifacts collected =
                CollectedArtifacts.of(
                        task,
                        List.of(
                                file(".artifacts/srv/out/a"),
                                file(".artifacts/srv/elsewhere"),
                                file("other.txt"),
                                file("sign.txt")));
        assertThat(collected.manifest())
                .containsExactly(
                        entry("/logs/artifacts", "logs/artifacts", "directory", "empty"),
                        entry("/app/sign.txt", "out/sign.txt", "file", "ok"),
                        entry("/srv/out", "out", "directory", "skipped"),
                        entry("/app/sign.txt", "app/sign.txt", "file", "ok"),
                        entry("/app", "app", "directory", "skipped"),
                        entry("/gone", "gone", "directory", "failed"));
        assertThat(collected.files())
                .extracting(SandboxFile::path)
                .containsExactly("out/sign.txt", "app/sign.txt");
    }

    @Test
    void anEntryForTheUsualFolderTakesItsPlace() throws Exception {
        String artifacts =
                "artifacts = [{ source = \"/logs/artifacts/\", destination = \"kept\", exclude ="
                        + " [\"*.bin\"] }]\n";
        HarborTask task = loader.load(task().with("task.toml", artifacts).path);
        CollectedArtifacts collected =
                CollectedArtifacts.of(
                        task,
                        List.of(
                                file(".artifacts/logs/artifacts/deep/a.bin"),
                                file(".artifacts/logs/artifacts/deep/a.txt")));
        assertThat(collected.manifest())
                .containsExactly(entry("/logs/artifacts", "kept", "directory", "ok"));
        assertThat(collected.files())
                .extracting(SandboxFile::path)
                .containsExactly("kept/deep/a.txt");
    }

    @ParameterizedTest
    @CsvSource({
        "*.pt, a.pt, true",
        "*.pt, deep/a.pt, true",
        "*.pt, a.pts, false",
        "cache, cache/x/y, true",
        "cache, deep/cache/x, true",
        "cache, cached/x, false",
        "./a/b, a/b/c, true",
        "a/b, x/a/b, true",
        "a?c, abc, true",
        "a?c, ac, false",
        "$(id), a, false",
        "'[ab]', a, true",
        "'[ab]', c, false"
    })
    void patternsLeaveOutNamesPathsAndAllBelowThem(String pattern, String path, boolean out) {
        Artifact artifact = new Artifact("/data", "", List.of(pattern));
        assertThat(artifact.covers("/data/" + path)).isEqualTo(!out);
        assertThat(artifact.covers("/data")).isTrue();
        assertThat(artifact.covers("/datax/" + path)).isFalse();
    }

    private static Entry entry(String source, String target, String type, String status) {
        return new Entry(source, "artifacts/" + target, type, status, null);
    }

    private static SandboxFile file(String path) {
        return new SandboxFile(path, new byte[] {1}, false);
    }
}
