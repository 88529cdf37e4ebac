package dev.millrace.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Children end with their parent, however that ends. */
class MemberMainTest {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    @TempDir Path folder;

    /** Starts a child that would run for ever, and says its id. */
    static final class Parent {
        private Parent() {}

        /** Takes the file for the child's output. */
        public static void main(String[] arguments) throws Exception {
            ChildProcess child = sleeper(Path.of(arguments[0]));
            child.start();
            System.out.println(child.pid());
            Sleeper.main(arguments);
            child.kill();
        }
    }

    /** Runs for ever. */
    static final class Sleeper {
        private Sleeper() {}

        /** Takes nothing. */
        public static void main(String[] arguments) throws Exception {
            new CountDownLatch(1).await();
        }
    }

    private static ChildProcess sleeper(Path output) {
        return new ChildProcess(
                "sleeper",
                ChildProcess.java(List.of("-Xmx32m"), List.of(Sleeper.class.getName())),
                output,
                child -> {});
    }

    @Test
    void aChildEndsWhenItsParentIsKilled() throws Exception {
        Process parent =
                new ProcessBuilder(
                                ChildProcess.java(
                                        List.of("-Xmx32m"),
                                        List.of(
                                                Parent.class.getName(),
                                                folder.resolve("out").toString())))
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        ProcessHandle child;
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
            child = ProcessHandle.of(Long.parseLong(lines.readLine())).orElseThrow();
            assertThat(child.isAlive()).isTrue();
            parent.destroyForcibly().waitFor();
        }
        await().atMost(PATIENCE).until(() -> !child.isAlive());
    }

    @Test
    void aMemberThatWasKilledStartsAgainAsAnotherProcess() {
        ChildProcess child = sleeper(folder.resolve("out"));
        child.start();
        long first = child.pid();
        child.kill();
        assertThat(child.alive()).isFalse();
        child.restart();
        assertThat(child.alive()).isTrue();
        assertThat(child.pid()).isNotEqualTo(first);
        child.end();
        child.awaitEnd();
        assertThat(child.alive()).isFalse();
    }
}
