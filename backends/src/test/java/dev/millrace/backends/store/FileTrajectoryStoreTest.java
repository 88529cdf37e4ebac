package dev.millrace.backends.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.ContentRef;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class FileTrajectoryStoreTest {
    @TempDir Path root;

    @Test
    void givesBackWhatWasStored() throws Exception {
        FileTrajectoryStore store = new FileTrajectoryStore(root);
        ContentRef ref = store.put("run/group/0", ".json", "hello".getBytes(UTF_8));
        assertThat(ref.bytes()).isEqualTo(5);
        assertThat(ref.sha256())
                .isEqualTo("2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824");
        assertThat(ref.uri()).endsWith("run/group/0/" + ref.sha256() + ".json");
        assertThat(store.get(ref)).asString(UTF_8).isEqualTo("hello");
    }

    @Test
    void writesTheSameContentOnce() throws Exception {
        FileTrajectoryStore store = new FileTrajectoryStore(root);
        ContentRef first = store.put("a", "", new byte[] {1});
        Path file = Path.of(URI.create(first.uri()));
        Files.setLastModifiedTime(file, FileTime.fromMillis(1000));
        assertThat(store.put("a", "", new byte[] {1})).isEqualTo(first);
        assertThat(Files.getLastModifiedTime(file).toMillis()).isEqualTo(1000);
        try (Stream<Path> files = Files.list(root.resolve("a"))) {
            assertThat(files).containsExactly(file);
        }
    }

    @Test
    void refusesChangedOrMissingBytes() throws Exception {
        FileTrajectoryStore store = new FileTrajectoryStore(root);
        ContentRef ref = store.put("a", "", new byte[] {1, 2});
        Path file = Path.of(URI.create(ref.uri()));
        Files.write(file, new byte[] {1, 3});
        assertThatThrownBy(() -> store.get(ref))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("digest");
        Files.write(file, new byte[] {1});
        assertThatThrownBy(() -> store.get(ref))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("1 bytes instead of 2");
        Files.delete(file);
        assertThatThrownBy(() -> store.get(ref)).isInstanceOf(IOException.class);
    }

    @Test
    void staysInsideItsFolder() {
        FileTrajectoryStore store = new FileTrajectoryStore(root);
        assertThatThrownBy(() -> store.put("../out", "", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> store.put("a", "/../../x", new byte[0]))
                .isInstanceOf(IllegalArgumentException.class);
        ContentRef outside = new ContentRef("file:///etc/hostname", 1, "00");
        assertThatThrownBy(() -> store.get(outside)).isInstanceOf(IllegalArgumentException.class);
    }
}
