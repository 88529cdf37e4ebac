package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.udfs.model.FailureClass;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Plays a small task in one sandbox and grades it in another. */
@Timeout(60)
abstract class VerifierFixture {
    @TempDir Path scratch;
    @TempDir Path folder;

    final HarborTaskLoader loader = new HarborTaskLoader();
    BubblewrapProvider provider;

    @BeforeEach
    final void open() {
        provider = new BubblewrapProvider(scratch);
    }

    @AfterEach
    final void close() {
        provider.close();
    }

    /** Plays commands as an agent would and grades what they leave. */
    final Verdict play(TaskFolder task, String... commands) throws Exception {
        HarborTask loaded = loader.load(task.path);
        List<SandboxFile> workspace;
        try (Sandbox sandbox =
                new TaskSandbox(provider).prepare(loaded, Lease.of("agent", "test"))) {
            for (String command : commands) {
                sandbox.exec(new ExecRequest("e", command, "", Map.of(), 10_000, 1000));
            }
            workspace = HarborVerifier.capture(loaded, sandbox);
        }
        return new HarborVerifier(provider).grade(loaded, workspace, Lease.of("verifier", "test"));
    }

    final TaskFolder task() throws Exception {
        return TaskFolder.create(folder, "task");
    }

    final Verdict withTest(String script) throws Exception {
        return play(task().with("tests/test.sh", "#!/bin/sh\n" + script + "\n"));
    }

    /** Of a script that leaves no reward one can trust: there is none, and never 0. */
    final void assertNoReward(String script, String cause) throws Exception {
        Verdict verdict = withTest(script);
        assertThat(verdict.reward()).isNull();
        assertThat(verdict.cause()).isEqualTo(cause);
        assertThat(verdict.failureClass()).isEqualTo(FailureClass.VERIFIER);
    }
}
