package dev.millrace.bench.sim.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.GradingVerdict;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.bench.sim.Services;
import dev.millrace.bench.sim.SimProcess;
import dev.millrace.bench.sim.WorkChain;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimSandboxProviderTest {
    private static final Task TASK = new Task("task-3", "sim:3", Split.TRAIN, "");
    @TempDir Path folder;
    private Services service;
    private SimSandboxProvider provider;

    @BeforeEach
    void start() throws Exception {
        service = Services.start(SimProcess.Kind.SANDBOX, folder.resolve("sandbox.jsonl"));
        provider = provider();
    }

    @AfterEach
    void stop() {
        service.close();
    }

    @Test
    void outlivesItsClientAndIsFoundByAnother() throws Exception {
        Sandbox made = provider.create(spec("a0", "mine"));
        made.exec(exec("exec#1.0", 0));
        Sandbox found = provider().attach(lease("a0", "mine", 2)).orElseThrow();
        assertThat(found.executedIds()).containsExactly("exec#1.0");
        assertThat(kind(() -> made.exec(exec("exec#1.1", 1)))).isEqualTo(Kind.FENCED);
        made.close();
        assertThat(found.exec(exec("exec#1.1", 1)).exitCode()).isZero();
        assertThat(provider().attach(lease("a9", "mine", 2))).isEmpty();
    }

    @Test
    void replacesTheSandboxOfALeaseForANewerOwnerOnly() throws Exception {
        Sandbox first = provider.create(spec("a0", "mine"));
        Sandbox second = provider.create(spec(lease("a0", "mine", 2)));
        assertThat(kind(() -> provider.create(spec("a0", "mine")))).isEqualTo(Kind.FENCED);
        SandboxException died =
                catchThrowableOfType(SandboxException.class, () -> first.exec(exec("e", 0)));
        assertThat(died.kind()).isEqualTo(Kind.DIED);
        assertThat(died.policyCaused()).isFalse();
        first.close();
        assertThat(second.exec(exec("e", 0)).exitCode()).isZero();
    }

    @Test
    void reapsByOwner() throws Exception {
        provider.create(spec("a0", "mine"));
        provider.create(spec("a1", "mine"));
        Sandbox other = provider.create(spec("a2", "other"));
        String kept = "run/g1/a1/x/t1";
        assertThat(provider().reap("mine", 2, Set.of(kept))).isEqualTo(1);
        assertThat(provider().leases("mine")).containsExactly(kept);
        assertThat(other.exec(exec("e", 0)).exitCode()).isZero();
        assertThat(kind(() -> provider.create(spec("a3", "mine")))).isEqualTo(Kind.FENCED);
    }

    @Test
    void isKnownToAServiceThatWasStartedAgain() throws Exception {
        Sandbox made = provider.create(spec("a0", "mine"));
        made.exec(exec("exec#1.0", 0));
        Sandbox ended = provider.create(spec("a1", "mine"));
        ended.close();
        service.close();
        service = Services.start(SimProcess.Kind.SANDBOX, folder.resolve("sandbox.jsonl"));
        assertThat(provider().attach(lease("a0", "mine", 2)).orElseThrow().executedIds())
                .containsExactly("exec#1.0");
        assertThat(provider().attach(lease("a1", "mine", 2))).isEmpty();
        Sandbox next = provider().create(spec("a2", "mine"));
        assertThat(next.exec(exec("e", 0)).exitCode()).isZero();
    }

    @Test
    void answersACommandAloneWhateverCameBefore() throws Exception {
        String first = output(provider.create(spec("a0", "mine")), 0);
        Sandbox other = provider.create(spec("a1", "mine"));
        assertThat(output(other, 0)).isEqualTo(first);
        assertThat(output(other, 1)).isNotEqualTo(first);
    }

    @Test
    void seesACommandThatWasRunTwice() throws Exception {
        SimTasks tasks = new SimTasks(provider);
        Sandbox once = tasks.open(TASK, lease("a0", "mine", 1));
        once.exec(exec("exec#1.0", 0));
        Sandbox twice = tasks.open(TASK, lease("a1", "mine", 1));
        twice.exec(exec("exec#1.0", 0));
        twice.exec(exec("exec#1.0", 0));
        assertThat(graded(tasks, once).flags()).isEmpty();
        assertThat(graded(tasks, twice).flags()).containsExactly(SimTasks.NOT_INTACT);
    }

    @Test
    void answersForACommandThatHangs() throws Exception {
        Sandbox sandbox = provider.create(spec("a0", "mine"));
        service.arm("exec(g1.a0) -> hang once");
        ExecResult result =
                sandbox.exec(new ExecRequest("exec#1.0", "work 1 0", "", Map.of(), 50, 100));
        assertThat(result.timedOut()).isTrue();
        assertThat(result.exitCode()).isEqualTo(124);
        assertThat(sandbox.executedIds()).containsExactly("exec#1.0");
    }

    @Test
    void saysThatASandboxMayStillBeThere() throws Exception {
        Sandbox sandbox = provider.create(spec("a0", "mine"));
        service.arm("terminate -> 500 once");
        assertThat(kind(sandbox::terminate)).isEqualTo(Kind.UNREACHABLE);
        sandbox.terminate();
        assertThat(provider().leases("mine")).isEmpty();
    }

    @Test
    void endsWhatNobodyRenews() throws Exception {
        Lease lease = new Lease("run/g1/a0/x/t1", "mine", 1, 300);
        Sandbox sandbox = provider.create(spec(lease));
        sandbox.renew();
        await().until(() -> provider().leases("mine").isEmpty());
        assertThat(kind(sandbox::renew)).isEqualTo(Kind.DIED);
    }

    @Test
    void saysOfWhichKindAFailureIs() throws Exception {
        Sandbox sandbox = provider.create(spec("a0", "mine"));
        service.arm("exec -> gone");
        assertThat(kind(() -> sandbox.exec(exec("e", 0)))).isEqualTo(Kind.DIED);
        service.arm("create -> 429 once");
        assertThat(kind(() -> provider.create(spec("a1", "mine")))).isEqualTo(Kind.RATE_LIMITED);
        service.arm("create -> 500 once");
        assertThat(kind(() -> provider.create(spec("a1", "mine")))).isEqualTo(Kind.CREATE_FAILED);
        service.close();
        assertThat(kind(() -> provider.create(spec("a1", "mine")))).isEqualTo(Kind.UNREACHABLE);
    }

    private interface Failing {
        void run() throws SandboxException;
    }

    private static Kind kind(Failing call) {
        return catchThrowableOfType(SandboxException.class, call::run).kind();
    }

    private static GradingVerdict graded(SimTasks tasks, Sandbox sandbox) throws Exception {
        Lease lease = Lease.of(sandbox.leaseName().replace("/t1", "/grade1"), "mine");
        return tasks.grade(TASK, tasks.capture(TASK, sandbox), lease);
    }

    private static String output(Sandbox sandbox, int turn) throws Exception {
        return new String(
                sandbox.exec(exec("e" + turn, turn)).output(),
                java.nio.charset.StandardCharsets.UTF_8);
    }

    private static ExecRequest exec(String effect, int turn) {
        return new ExecRequest(effect, WorkChain.command(77, turn), "", Map.of(), 20_000, 1000);
    }

    private SimSandboxProvider provider() {
        return new SimSandboxProvider(new ServiceClient(service.port(), 0));
    }

    private static Lease lease(String attempt, String owner, long fence) {
        return new Lease("run/g1/" + attempt + "/x/t1", owner, fence, 0);
    }

    private static SandboxSpec spec(String attempt, String owner) {
        return spec(lease(attempt, owner, 1));
    }

    private static SandboxSpec spec(Lease lease) {
        return new SandboxSpec(lease, "", "/workspace", Map.of(), SandboxLimits.SMALL);
    }
}
