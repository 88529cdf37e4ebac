package dev.millrace.backends.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImagesTest {
    private static final String CONFIG =
            "{\"config\":{\"Env\":[\"PATH=/opt/bin:/bin\",\"A=b=c\"],\"WorkingDir\":\"/src\","
                    + "\"User\":\"app\"}}";
    private static final String OWN =
            System.getProperty("os.arch").equals("aarch64") ? "arm64" : "amd64";

    @TempDir Path folder;

    @Test
    void anImageLayoutIsReadWithItsConfiguration() throws Exception {
        ImageSource image = Images.open(layout(folder.resolve("layout"), OWN));
        assertThat(image.config().environment())
                .isEqualTo(Map.of("PATH", "/opt/bin:/bin", "A", "b=c"));
        assertThat(image.config().workdir()).isEqualTo("/src");
        assertThat(image.config().user()).isEqualTo("app");
        assertThat(image.key()).startsWith("sha256:");
        assertUnpacked(image);
    }

    @Test
    void theSameContentHasTheSameKeyWhereverItLies() throws Exception {
        String one = Images.open(layout(folder.resolve("one"), OWN)).key();
        assertThat(Images.open(layout(folder.resolve("two"), OWN)).key()).isEqualTo(one);
    }

    @Test
    void anArchiveOfALayoutIsRead() throws Exception {
        Path layout = layout(folder.resolve("layout"), OWN);
        assertUnpacked(Images.open(archive(layout, folder.resolve("layout.tar"))));
    }

    @Test
    void whatDockerSavesIsRead() throws Exception {
        LayerTar saved =
                new LayerTar()
                        .file("c.json", CONFIG)
                        .file("one/layer.tar", 0644, lower().bytes())
                        .file("two/layer.tar", 0644, upper().bytes())
                        .file(
                                "manifest.json",
                                "[{\"Config\":\"c.json\",\"RepoTags\":[\"t:1\"],\"Layers\":"
                                        + "[\"one/layer.tar\",\"two/layer.tar\"]}]");
        ImageSource image = Images.open(Files.write(folder.resolve("saved.tar"), saved.bytes()));
        assertThat(image.config().user()).isEqualTo("app");
        assertUnpacked(image);
    }

    @Test
    void aRootFileSystemIsReadFromAFolderOrAnArchive() throws Exception {
        Path root = Files.createDirectories(folder.resolve("fs/etc")).getParent();
        Files.writeString(root.resolve("etc/name"), "plain");
        Path tar =
                Files.write(
                        folder.resolve("fs.tar.gz"),
                        new LayerTar().file("etc/name", "plain").gzip());
        for (Path place : new Path[] {root, tar}) {
            ImageSource image = Images.open(place);
            assertThat(image.config()).isEqualTo(ImageConfig.NONE);
            assertThat(unpacked(image).resolve("etc/name")).hasContent("plain");
        }
    }

    @Test
    void aDamagedLayerIsRefused() throws Exception {
        Path layout = layout(folder.resolve("layout"), OWN);
        ImageSource image = Images.open(layout);
        String largest = blob(layout, "etc/kept");
        Files.write(Path.of(largest), new byte[1], StandardOpenOption.APPEND);
        assertThatThrownBy(() -> unpacked(image)).hasMessageContaining("is damaged");
    }

    @Test
    void anImageForOtherMachinesIsRefused() throws Exception {
        Path layout = layout(folder.resolve("layout"), "s390x");
        assertThatThrownBy(() -> Images.open(layout))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining("0 images for linux/" + OWN)
                .hasMessageContaining(layout.toString());
    }

    @Test
    void digestsCantLeadOutOfTheLayout() throws Exception {
        Path layout = layout(folder.resolve("layout"), OWN);
        Files.writeString(
                layout.resolve("index.json"),
                "{\"manifests\":[{\"digest\":\"sha256:../../../../etc/passwd\"}]}");
        assertThatThrownBy(() -> Images.open(layout)).hasMessageContaining("is no SHA-256 digest");
    }

    private void assertUnpacked(ImageSource image) throws IOException {
        Path root = unpacked(image);
        assertThat(root.resolve("etc/kept")).hasContent("below");
        assertThat(root.resolve("etc/name")).hasContent("above");
        assertThat(root.resolve("etc/gone")).doesNotExist();
    }

    private Path unpacked(ImageSource image) throws IOException {
        Path root = Files.createTempDirectory(folder, "root");
        image.writeTo(new TreeWriter(root, 0, new TreeLimits(1000, 100)));
        return root;
    }

    private static LayerTar lower() {
        return new LayerTar()
                .file("etc/name", "old")
                .file("etc/kept", "below")
                .file("etc/gone", "x");
    }

    private static LayerTar upper() {
        return new LayerTar().file("etc/name", "above").file("etc/.wh.gone", "");
    }

    /** A layout whose index leads through a second index, as those of several platforms do. */
    private static Path layout(Path layout, String architecture) throws Exception {
        Files.createDirectories(layout.resolve("blobs/sha256"));
        Files.writeString(layout.resolve("oci-layout"), "{\"imageLayoutVersion\":\"1.0.0\"}");
        String config = put(layout, CONFIG.getBytes(StandardCharsets.UTF_8));
        String first = put(layout, lower().bytes());
        String second = put(layout, upper().gzip());
        String manifest =
                put(
                        layout,
                        String.format(
                                        "{\"config\":{\"digest\":\"%s\"},\"layers\":"
                                                + "[{\"digest\":\"%s\"},{\"digest\":\"%s\"}]}",
                                        config, first, second)
                                .getBytes(StandardCharsets.UTF_8));
        String platforms =
                put(
                        layout,
                        String.format(
                                        "{\"manifests\":[{\"digest\":\"%s\",\"platform\":{\"os\":"
                                                + "\"linux\",\"architecture\":\"%s\"}},{\"digest\":"
                                                + "\"sha256:0\",\"platform\":{\"os\":\"unknown\","
                                                + "\"architecture\":\"unknown\"}}]}",
                                        manifest, architecture)
                                .getBytes(StandardCharsets.UTF_8));
        Files.writeString(
                layout.resolve("index.json"),
                "{\"manifests\":[{\"digest\":\"" + platforms + "\"}]}");
        return layout;
    }

    private static String put(Path layout, byte[] content) throws Exception {
        String hex = HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        Files.write(layout.resolve("blobs/sha256/" + hex), content);
        return "sha256:" + hex;
    }

    private static String blob(Path layout, String holding) throws IOException {
        try (Stream<Path> blobs = Files.list(layout.resolve("blobs/sha256"))) {
            for (Path blob : blobs.toList()) {
                String text = Files.readString(blob, StandardCharsets.ISO_8859_1);
                if (text.contains(holding)) {
                    return blob.toString();
                }
            }
        }
        throw new IllegalStateException("no blob holds " + holding);
    }

    private static Path archive(Path layout, Path file) throws IOException {
        LayerTar tar = new LayerTar();
        try (Stream<Path> files = Files.walk(layout)) {
            for (Path path : files.filter(Files::isRegularFile).toList()) {
                tar.file(layout.relativize(path).toString(), 0644, Files.readAllBytes(path));
            }
        }
        return Files.write(file, tar.bytes());
    }
}
