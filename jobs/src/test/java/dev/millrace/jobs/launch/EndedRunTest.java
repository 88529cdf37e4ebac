package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.jobs.cli.BadInputException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EndedRunTest {
    @TempDir private Path output;

    private void summary(String state, int steps) throws IOException {
        Files.writeString(
                output.resolve("summary.json"),
                "{\"state\": \"" + state + "\", \"steps\": " + steps + "}");
    }

    private void refuse(long steps) throws IOException {
        EndedRun.refuse(new RunFolder(output), steps);
    }

    @Test
    void aRunThatIsFinishedIsNotResumedAndItSaysWhy() throws Exception {
        summary("finished", 10);
        assertThatThrownBy(() -> refuse(5))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("finished with 10 steps")
                .hasMessageContaining("nothing is left to train");
        assertThatThrownBy(() -> refuse(12)).hasMessageContaining("before a run has ended");
    }

    @Test
    void aStarvedRunIsNotResumed() throws Exception {
        summary("starved", 3);
        assertThatThrownBy(() -> refuse(10)).hasMessageContaining("starved with 3 steps");
    }

    @Test
    void anInterruptedOrFailedRunIsResumed() throws Exception {
        assertThatCode(() -> refuse(10)).as("no summary").doesNotThrowAnyException();
        for (String state : new String[] {"interrupted", "failed"}) {
            summary(state, 10);
            assertThatCode(() -> refuse(10)).doesNotThrowAnyException();
        }
    }
}
