package dev.millrace.backends.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TreeWriterTest {
    @TempDir Path folder;
    private Path root;

    @BeforeEach
    void makeRoot() throws IOException {
        root = Files.createDirectory(folder.resolve("root"));
    }

    @Test
    void aLaterLayerReplacesAddsAndRemoves() throws Exception {
        unpack(
                new LayerTar()
                        .folder("etc", 0755)
                        .file("etc/name", "old")
                        .file("etc/gone", "x")
                        .file("opt/deep/gone", "x"),
                new LayerTar()
                        .file("etc/name", "new")
                        .file("etc/.wh.gone", "")
                        .file("opt/.wh.deep", "")
                        .file("etc/more", "y"));
        assertThat(tree()).containsExactly("etc", "etc/more", "etc/name", "opt");
        assertThat(Files.readString(root.resolve("etc/name"))).isEqualTo("new");
    }

    @Test
    void anOpaqueFolderHidesWhatIsBelowAndKeepsItsOwn() throws Exception {
        unpack(
                new LayerTar().file("data/a", "1").file("data/sub/b", "2").file("other", "3"),
                new LayerTar()
                        .folder("data", 0755)
                        .file("data/sub/c", "4")
                        .file("data/.wh..wh..opq", "")
                        .file("data/d", "5"));
        assertThat(tree()).containsExactly("data", "data/d", "data/sub", "data/sub/c", "other");
    }

    @Test
    void aWhiteoutLeavesWhatItsOwnLayerBrings() throws Exception {
        unpack(
                new LayerTar().file("lib/old", "1"),
                new LayerTar().folder("lib", 0755).file("lib/new", "2").file(".wh.lib", ""));
        assertThat(tree()).containsExactly("lib", "lib/new");
    }

    @Test
    void linksInsideAreKeptAndFollowedInside() throws Exception {
        unpack(
                new LayerTar().folder("usr/lib", 0755).link("lib", "/usr/lib"),
                new LayerTar().file("lib/x", "in usr").hardLink("lib/y", "usr/lib/x"));
        assertThat(Files.readString(root.resolve("usr/lib/y"))).isEqualTo("in usr");
        assertThat(Files.isSymbolicLink(root.resolve("lib"))).isTrue();
    }

    @Test
    void modesAreKeptButGiveNoRights() throws Exception {
        unpack(
                new LayerTar()
                        .file("su", 04755, new byte[0])
                        .folder("closed", 0555)
                        .file("closed/in", "x")
                        .folder("tmp", 01777));
        assertThat(mode("su")).isEqualTo(0755);
        assertThat(mode("closed")).isEqualTo(0555);
        assertThat(mode("tmp")).isEqualTo(01777);
        assertThat(root.resolve("closed/in")).exists();
    }

    @Test
    void devicesAreLeftOut() throws Exception {
        unpack(new LayerTar().device("dev/sda").file("a", "1"));
        assertThat(tree()).containsExactly("a", "dev");
    }

    @Test
    void nothingIsWrittenThroughALinkThatLeadsOut() throws Exception {
        Path outside = Files.createDirectory(folder.resolve("outside"));
        unpack(
                new LayerTar()
                        .link("absolute", outside.toString())
                        .link("upwards", "../../../../../../../.." + outside),
                new LayerTar()
                        .file("absolute/planted", "1")
                        .file("upwards/planted", "2")
                        .file("absolute/.wh..wh..opq", ""));
        assertThat(outside).isEmptyDirectory();
        assertThat(root.resolve(outside.toString().substring(1)).resolve("planted")).exists();
    }

    @Test
    void aFileInPlaceOfALinkReplacesTheLink() throws Exception {
        Path victim = Files.writeString(folder.resolve("victim"), "untouched");
        unpack(new LayerTar().link("name", victim.toString()), new LayerTar().file("name", "own"));
        assertThat(victim).hasContent("untouched");
        assertThat(root.resolve("name")).hasContent("own");
    }

    @Test
    void aHardLinkToAFileOfTheHostIsRefused() throws IOException {
        Path victim = Files.writeString(folder.resolve("victim"), "secret");
        refused(new LayerTar().hardLink("name", victim.toString()), "leads nowhere");
        refused(new LayerTar().hardLink("name", "../victim"), "is no path");
    }

    @ParameterizedTest
    @ValueSource(strings = {"../evil", "a/../../evil", "/../evil", "a/.wh..", ".wh.", "x/.wh..."})
    void namesThatLeadOutAreRefused(String name) throws IOException {
        refused(new LayerTar().file(name, "x"), "an entry has the name");
        assertThat(folder.resolve("evil")).doesNotExist();
    }

    @Test
    void anAbsoluteNameIsOneInTheImage() throws Exception {
        unpack(new LayerTar().file("/etc/name", "x"));
        assertThat(tree()).containsExactly("etc", "etc/name");
    }

    @Test
    void linksThatGoRoundAreRefused() throws IOException {
        refused(new LayerTar().link("a", "b").link("b", "a").file("a/x", ""), "links go round");
    }

    @Test
    void aFolderThatIsAFileIsRefused() throws IOException {
        refused(new LayerTar().file("a", "").file("a/x", ""), "is no folder");
    }

    @Test
    void moreThanTheLimitsIsRefusedBeforeItIsWritten() throws IOException {
        refused(new LayerTar().file("a", "12345").file("b", "123456"), "more than 10 bytes");
        assertThat(root.resolve("b")).doesNotExist();
        LayerTar many = new LayerTar();
        for (int i = 0; i < 21; i++) {
            many.folder("f" + i, 0755);
        }
        refused(many, "more than 20 entries");
    }

    @Test
    void aLayerThatIsCutIsRefused() {
        byte[] cut = new LayerTar().promise("a", 9).cut();
        assertThatThrownBy(() -> unpack(cut)).isInstanceOf(IOException.class);
    }

    @Test
    void aCompressedLayerIsRead() throws Exception {
        unpack(new LayerTar().file("a", "text").gzip());
        assertThat(root.resolve("a")).hasContent("text");
    }

    private void refused(LayerTar layer, String words) throws IOException {
        byte[] bytes = layer.bytes();
        assertThatThrownBy(() -> unpack(bytes))
                .isInstanceOf(ImageException.class)
                .hasMessageContaining(words);
    }

    private void unpack(LayerTar... layers) throws IOException {
        byte[][] bytes = new byte[layers.length][];
        for (int i = 0; i < layers.length; i++) {
            bytes[i] = layers[i].bytes();
        }
        unpack(bytes);
    }

    private void unpack(byte[]... layers) throws IOException {
        TreeWriter tree = new TreeWriter(root, 0, new TreeLimits(10, 20));
        for (byte[] layer : layers) {
            TarLayer.writeTo(tree, new ByteArrayInputStream(layer));
        }
        tree.finish();
    }

    private int mode(String path) throws IOException {
        Object mode =
                Files.getAttribute(root.resolve(path), "unix:mode", LinkOption.NOFOLLOW_LINKS);
        return (int) mode & 07777;
    }

    private List<String> tree() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            return files.filter(file -> !file.equals(root))
                    .map(file -> root.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
