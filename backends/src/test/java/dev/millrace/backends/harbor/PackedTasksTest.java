package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.store.LocalObjects;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PackedTasksTest {
    @TempDir Path folder;

    @Test
    void givesEachMachineTheTasksWithTheirModes() throws Exception {
        Path task = Files.createDirectories(folder.resolve("tasks/train/one"));
        Files.writeString(task.resolve("task.toml"), "x");
        Path script = Files.writeString(task.resolve("test.sh"), "#!/bin/sh\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        byte[] packed = PackedTasks.pack(folder.resolve("tasks"));
        assertThat(packed).isEqualTo(PackedTasks.pack(folder.resolve("tasks")));
        URI archive = folder.resolve("tasks.zip").toUri();
        new LocalObjects().create(archive, packed);

        Path found = tasks().of(URI.create(PackedTasks.uri(archive, "train/one")));
        assertThat(found.resolve("task.toml")).hasContent("x");
        assertThat(found.resolve("test.sh")).isExecutable();
        assertThat(found.resolve("task.toml").toFile().canExecute()).isFalse();
        assertThat(tasks().of(URI.create(PackedTasks.uri(archive, "train/one")))).isEqualTo(found);
        assertThat(tasks().of(task.toUri())).isEqualTo(task);
    }

    @Test
    void writesNothingOutsideOfItsFolder() throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.putNextEntry(new ZipEntry("-/../../escaped"));
            zip.write(1);
        }
        URI archive = folder.resolve("bad.zip").toUri();
        new LocalObjects().create(archive, bytes.toByteArray());
        assertThatThrownBy(() -> tasks().of(URI.create(PackedTasks.uri(archive, "train/one"))))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("names a file outside");
        assertThat(folder.resolve("escaped")).doesNotExist();
    }

    private PackedTasks tasks() {
        return new PackedTasks(new LocalObjects(), folder.resolve("scratch"));
    }
}
