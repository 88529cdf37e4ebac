package dev.millrace.backends.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RegistryPullTest {
    private static final String OWN =
            System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";
    private static final byte[] CONFIG =
            "{\"config\":{\"WorkingDir\":\"/src\"}}".getBytes(StandardCharsets.UTF_8);

    @TempDir Path folder;
    private RegistryServer registry;
    private byte[] layer;
    private String manifest;

    @BeforeEach
    void start() throws IOException {
        registry = new RegistryServer();
        layer = new LayerTar().file("etc/name", "pulled").gzip();
        registry.blob(Digests.of(CONFIG), CONFIG);
        registry.blob(Digests.of(layer), layer);
        manifest =
                registry.document(
                        "one",
                        String.format(
                                "{\"config\":{\"digest\":\"%s\",\"size\":%d},\"layers\":"
                                        + "[{\"digest\":\"%s\",\"size\":%d}]}",
                                Digests.of(CONFIG),
                                CONFIG.length,
                                Digests.of(layer),
                                layer.length));
        registry.document(
                "many",
                String.format(
                        "{\"manifests\":[{\"digest\":\"%s\",\"platform\":{\"os\":\"linux\","
                                + "\"architecture\":\"%s\"}},{\"digest\":\"sha256:0\",\"platform\":"
                                + "{\"os\":\"linux\",\"architecture\":\"s390x\"}}]}",
                        manifest, OWN));
    }

    @AfterEach
    void stop() {
        registry.close();
    }

    @Test
    void anImageForThisMachineIsFetchedWithATokenAndCanBeUnpacked() throws Exception {
        assertThat(pull("many", 10_000)).isEqualTo(manifest);
        ImageSource image = Images.open(layout());
        assertThat(image.config().workdir()).isEqualTo("/src");
        Path root = Files.createDirectory(folder.resolve("root"));
        image.writeTo(new TreeWriter(root, 0, new TreeLimits(100, 10)));
        assertThat(root.resolve("etc/name")).hasContent("pulled");
    }

    @Test
    void whatIsThereIsNotFetchedAgain() throws Exception {
        pull("one", 10_000);
        registry.asked.clear();
        pull("one", 10_000);
        assertThat(registry.asked).noneMatch(path -> path.contains("/blobs/"));
    }

    @Test
    void aRegistryThatIsAskedTooOftenSaysForHowLong() throws Exception {
        registry.beBusy(1);
        SandboxException refused =
                catchThrowableOfType(SandboxException.class, () -> pull("one", 10_000));
        assertThat(refused.kind()).isEqualTo(Kind.RATE_LIMITED);
        assertThat(refused.retryAfterMillis()).isEqualTo(7000);
        assertThat(pull("one", 10_000)).isEqualTo(manifest);
    }

    @Test
    void contentThatIsNotWhatItsDigestSaysIsRefusedAndNotKept() throws Exception {
        byte[] other = layer.clone();
        other[other.length - 1] ^= 1;
        registry.blob(Digests.of(layer), other);
        refused(Kind.IMAGE, "is damaged", "one", 10_000);
        try (Stream<Path> left = Files.walk(layout())) {
            assertThat(left.filter(Files::isRegularFile)).hasSize(1);
        }
    }

    @Test
    void aLayerLargerThanItSaysIsCutOff() {
        byte[] longer = new byte[layer.length + 1];
        registry.blob(Digests.of(layer), longer);
        refused(Kind.IMAGE, "is larger than its description says", "one", 10_000);
    }

    @Test
    void moreThanTheLimitIsRefusedBeforeAnythingIsFetched() {
        refused(Kind.IMAGE, "more than 100 bytes", "one", 100);
        assertThat(registry.asked).noneMatch(path -> path.contains("/blobs/"));
    }

    @Test
    void anImageThatIsNotThereIsItsFaultAndARegistryThatIsGoneIsNot() throws Exception {
        refused(Kind.IMAGE, "answers 404", "none", 10_000);
        RegistryReference image = registry.image("one");
        registry.close();
        assertThatThrownBy(() -> pull(image, 10_000))
                .isInstanceOfSatisfying(
                        SandboxException.class,
                        e -> assertThat(e.kind()).isEqualTo(Kind.UNREACHABLE));
    }

    @ParameterizedTest
    @ValueSource(strings = {"python:3", "library/python", "a.b/../c", "a.b/C", "a.b/c@sha256:1"})
    void whatNamesNoRegistryIsRefused(String text) {
        assertThatThrownBy(() -> RegistryReference.parse(text)).hasMessageContaining("HOST/NAME");
    }

    private void refused(Kind kind, String words, String tag, long most) {
        assertThatThrownBy(() -> pull(tag, most))
                .hasMessageContaining(words)
                .isInstanceOfSatisfying(
                        SandboxException.class, e -> assertThat(e.kind()).isEqualTo(kind));
    }

    private Path layout() {
        return folder.resolve("layout");
    }

    private String pull(String tag, long most) throws SandboxException, ImageException {
        return pull(registry.image(tag), most);
    }

    private String pull(RegistryReference image, long most) throws SandboxException {
        RegistryAccess plain = new RegistryAccess(true, Optional.empty());
        return new RegistryPull(image, plain, most).into(layout());
    }
}
