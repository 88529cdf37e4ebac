package dev.millrace.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is refused before anything is prepared. */
class TrainJobTest {
    private static final String DEMO = "../recipes/demo.yaml";

    @TempDir Path folder;

    @Test
    void refusesARunThatOtherMachinesCouldNotReach() {
        Path output = folder.resolve("run");
        refused("--recipe", DEMO, "--output", output.toString())
                .hasMessageContaining("The run can't start:")
                .hasMessageContaining("kafka.bootstrap is embedded")
                .hasMessageContaining("--set kafka.bootstrap=host:9092");
        assertThat(output).doesNotExist();
        refused("--recipe", DEMO, "--output", "s3a://bucket")
                .hasMessageContaining("must name a folder in a bucket: s3a://bucket/run");
        refused("--recipe", DEMO, "--output", "s3a://bucket/run")
                .hasMessageContaining("put its plugin into plugins/");
    }

    @Test
    void reportsSettingsAsTheCommandLineDoes() {
        refused(
                        "--recipe",
                        DEMO,
                        "--output",
                        folder.resolve("run").toUri().toString(),
                        "--set",
                        "train.stepz=3")
                .hasMessageContaining("Settings refused:")
                .hasMessageContaining("train.stepz");
    }

    @Test
    void refusesAFolderThatHoldsAnotherRun() throws Exception {
        Files.writeString(folder.resolve("file"), "");
        refused(
                        "--recipe",
                        DEMO,
                        "--output",
                        folder.toString(),
                        "--set",
                        "kafka.bootstrap=127.0.0.1:1")
                .hasMessageContaining("is not empty; add --resume");
    }

    @Test
    void saysWhichOptionIsWrong() {
        refused("--recipe", DEMO).hasMessageContaining("--output");
        refused("--outptu", "x").hasMessageContaining("--help lists the options");
        refused("--output", folder.resolve("run").toString())
                .hasMessageContaining("which recipe? Give --recipe FILE");
    }

    private static AbstractThrowableAssert<?, ? extends Throwable> refused(String... arguments) {
        return assertThatThrownBy(() -> TrainJob.main(arguments))
                .isInstanceOf(BadInputException.class);
    }
}
