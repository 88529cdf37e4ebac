package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Commands when connections break, and sandboxes whose process is gone. */
@Timeout(120)
final class ModalRecoveryTest {
    private static final Lease LEASE = new Lease("attempt 1/try 1", "run-1/rollout/0", 5, 0);

    private StandInServer server;
    private ModalProvider provider;

    @BeforeEach
    void open() throws Exception {
        Containers.require();
        server = new StandInServer();
        provider = server.provider();
    }

    @AfterEach
    void close() throws Exception {
        if (server != null) {
            provider.close();
            server.close();
        }
    }

    private static SandboxSpec spec(Lease lease) {
        return new SandboxSpec(lease, "", "/app", Map.of("COLOUR", "blue"), SandboxLimits.SMALL);
    }

    private static ExecRequest command(String id, String text) {
        return new ExecRequest(id, text, "", Map.of(), 30_000, 1_000_000);
    }

    private static String text(ExecResult result) {
        return new String(result.output(), StandardCharsets.UTF_8);
    }

    @Test
    void outputGoesOnBehindTheLastByteWhenItsStreamBreaks() throws Exception {
        try (Sandbox sandbox = provider.create(spec(LEASE))) {
            String whole = text(sandbox.exec(command("a", "seq 1 50000")));
            server.router().breakStreams(3);
            server.faults().fail("TaskExecStdioRead", Status.UNAVAILABLE, 2);
            ExecResult broken = sandbox.exec(command("b", "seq 1 50000"));
            assertThat(text(broken)).isEqualTo(whole);
            assertThat(broken.totalOutputBytes()).isEqualTo(288_894);
        }
    }

    @Test
    void aStartWhoseAnswerGotLostStartsNothingTwice() throws Exception {
        try (Sandbox sandbox = provider.create(spec(LEASE))) {
            server.faults().loseAnswers("TaskExecStart", 2);
            server.faults().fail("TaskExecWait", Status.INTERNAL, 1);
            sandbox.exec(command("a", "echo once >> file"));
            assertThat(text(sandbox.exec(command("b", "cat file")))).isEqualTo("once\n");
        }
    }

    @Test
    void aTokenThatEndsMeanwhileIsExchanged() throws Exception {
        try (Sandbox sandbox = provider.create(spec(LEASE))) {
            server.control().tokens().revokeAll();
            assertThat(text(sandbox.exec(command("a", "echo fine")))).isEqualTo("fine\n");
        }
    }

    @Test
    void anotherProcessTakesASandboxOverWithAllThatItKnows() throws Exception {
        Sandbox lost = provider.create(spec(LEASE));
        lost.exec(command("first", "echo kept > file"));
        lost.exec(command("second", "true"));
        Lease newer = new Lease(LEASE.name(), LEASE.owner(), 6, 0);
        try (ModalProvider next = server.provider()) {
            Sandbox taken = next.attach(newer).orElseThrow();
            assertThat(taken.executedIds()).containsExactly("first", "second");
            assertThat(text(taken.exec(command("third", "cat file; pwd; echo $COLOUR"))))
                    .isEqualTo("kept\n/app\nblue\n");
            SandboxException fenced =
                    catchThrowableOfType(
                            SandboxException.class, () -> lost.exec(command("late", "true")));
            assertThat(fenced.kind()).isEqualTo(Kind.FENCED);
            assertThat(taken.executedIds()).containsExactly("first", "second", "third");
        }
    }

    @Test
    void commandsRunAsTheUserThatIsNamedAlsoOfWhoTakesOver() throws Exception {
        Sandbox first = provider.create(spec(LEASE).as("4321"));
        assertThat(text(first.exec(command("a", "id -u; echo mine > file")))).isEqualTo("4321\n");
        Lease newer = new Lease(LEASE.name(), LEASE.owner(), 6, 0);
        try (ModalProvider next = server.provider()) {
            Sandbox taken = next.attach(newer).orElseThrow();
            assertThat(text(taken.exec(command("b", "id -u; stat -c %u file"))))
                    .isEqualTo("4321\n4321\n");
        }
    }

    @Test
    void whatAnotherProcessLeftIsFencedAndReapedByItsTags() throws Exception {
        Lease kept = new Lease("attempt 2/try 1", LEASE.owner(), 5, 0);
        Lease old = new Lease(LEASE.name(), LEASE.owner(), 4, 0);
        provider.create(spec(LEASE));
        provider.create(spec(kept));
        try (ModalProvider next = server.provider()) {
            assertThat(next.leases("run-1")).containsExactly(LEASE.name(), kept.name());
            SandboxException fenced =
                    catchThrowableOfType(SandboxException.class, () -> next.create(spec(old)));
            assertThat(fenced.kind()).isEqualTo(Kind.FENCED);
            assertThat(next.reap(LEASE.owner(), 6, Set.of(kept.name()))).isEqualTo(1);
            assertThat(next.leases("run-1")).containsExactly(kept.name());
        }
    }

    @Test
    void onlyTheMemoryLimitIsThePolicysDoing() throws Exception {
        Sandbox hungry = provider.create(spec(LEASE));
        end(GenericStatus.GENERIC_STATUS_MEMORY_EVICTION);
        SandboxException died = catchThrowableOfType(SandboxException.class, () -> run(hungry));
        assertThat(died.kind()).isEqualTo(Kind.DIED);
        assertThat(died.policyCaused()).isTrue();
        Sandbox preempted =
                provider.create(spec(new Lease("attempt 3/try 1", LEASE.owner(), 5, 0)));
        end(GenericStatus.GENERIC_STATUS_INTERNAL_FAILURE);
        died = catchThrowableOfType(SandboxException.class, () -> run(preempted));
        assertThat(died.kind()).isEqualTo(Kind.DIED);
        assertThat(died.policyCaused()).isFalse();
        assertThat(died).hasMessageContaining("INTERNAL_FAILURE");
    }

    private static void run(Sandbox sandbox) throws SandboxException {
        sandbox.exec(command("a", "true"));
    }

    private void end(GenericStatus how) {
        ServedSandboxes all = server.control().sandboxes();
        all.live().forEach(id -> all.end(id, how));
    }

    @Test
    void aCommandThatIsTooLongForTheServersWordsGoesByStandardInput() throws Exception {
        try (Sandbox sandbox = provider.create(spec(LEASE))) {
            String padding = "# " + "ä".repeat(35_000) + "\n";
            ExecResult result = sandbox.exec(command("a", padding + "cat; echo 'done'"));
            assertThat(text(result)).isEqualTo("done\n");
        }
    }
}
