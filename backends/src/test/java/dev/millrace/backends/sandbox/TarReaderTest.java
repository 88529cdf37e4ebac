package dev.millrace.backends.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.assertj.core.api.Assertions.tuple;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Archives as the usual programs write them, and as an attacker would. */
final class TarReaderTest {
    private static final String LONG_NAME = "ä".repeat(70) + "/" + "n".repeat(120) + "/file";

    @TempDir Path folder;

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private byte[] packed(String format) throws Exception {
        Path root = Files.createDirectories(folder.resolve("root"));
        Path deep = root.resolve(LONG_NAME);
        Files.createDirectories(deep.getParent());
        Files.write(deep, text("deep"));
        Files.write(root.resolve("first"), text("shared"));
        Files.createLink(root.resolve("second"), root.resolve("first"));
        Files.createSymbolicLink(root.resolve("link"), Path.of("/etc/passwd"));
        Path archive = folder.resolve("archive.tar");
        Process tar =
                new ProcessBuilder("tar", "--format=" + format, "-cf", archive.toString(), "root")
                        .directory(folder.toFile())
                        .start();
        assertThat(tar.waitFor()).isZero();
        return Files.readAllBytes(archive);
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnu", "pax"})
    void readsLongNamesAndHardLinksOfEveryFormat(String format) throws Exception {
        assertThat(TarReader.read(packed(format), 1_000, "root"))
                .extracting(
                        SandboxFile::path,
                        file -> new String(file.content(), StandardCharsets.UTF_8))
                .containsExactly(
                        tuple("first", "shared"),
                        tuple("second", "shared"),
                        tuple(LONG_NAME, "deep"));
    }

    @Test
    void readsWhatIsWrittenHere() throws Exception {
        List<SandboxFile> files =
                List.of(
                        new SandboxFile("a", new byte[513], true),
                        new SandboxFile("b/" + "n".repeat(200), text("x"), false));
        assertThat(TarReader.read(TarWriter.archive(files), 1_000, ""))
                .usingRecursiveComparison()
                .withEqualsForType(Arrays::equals, byte[].class)
                .isEqualTo(files);
    }

    @Test
    void linksThatMultiplyAFileCountAsOftenAsTheyAre() throws Exception {
        byte[] tar = packed("gnu");
        SandboxException refused =
                catchThrowableOfType(SandboxException.class, () -> TarReader.read(tar, 15, "root"));
        assertThat(refused.kind()).isEqualTo(Kind.QUOTA);
        assertThat(TarReader.read(tar, 16, "root")).hasSize(3);
    }

    @Test
    void namesThatLeadOutsideAreLeftOut() throws Exception {
        byte[] tar =
                TarWriter.archive(
                        List.of(
                                new SandboxFile("../up", text("x"), false),
                                new SandboxFile("/etc/passwd", text("x"), false),
                                new SandboxFile("a/../../up", text("x"), false),
                                new SandboxFile("fine", text("x"), false)));
        assertThat(TarReader.read(tar, 1_000, ""))
                .extracting(SandboxFile::path)
                .containsExactly("fine");
    }

    @ParameterizedTest
    @ValueSource(strings = {"gnu", "pax"})
    void damagedArchivesGiveFewerFilesAndNoOtherFailure(String format) throws Exception {
        byte[] sound = packed(format);
        Random random = new Random(11);
        for (int i = 0; i < 2_000; i++) {
            byte[] damaged = Arrays.copyOf(sound, random.nextInt(sound.length));
            for (int j = 0; j < 4 && damaged.length > 0; j++) {
                damaged[random.nextInt(damaged.length)] = (byte) random.nextInt(256);
            }
            assertThat(readable(damaged)).isTrue();
        }
    }

    private static boolean readable(byte[] tar) {
        try {
            return TarReader.read(tar, 10_000, "root").size() <= 3;
        } catch (SandboxException e) {
            return e.kind() == Kind.QUOTA;
        }
    }
}
