package dev.millrace.bench.sim.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.GradingVerdict;
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
        Sandbox found = provider().attach(made.leaseName()).orElseThrow();
        assertThat(found.executedIds()).containsExactly("exec#1.0");
        assertThat(provider().attach("run/g9/a9/x/t1")).isEmpty();
    }

    @Test
    void replacesTheSandboxOfALease() throws Exception {
        Sandbox first = provider.create(spec("a0", "mine"));
        Sandbox second = provider.create(spec("a0", "mine"));
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
        assertThat(provider().reap("mine")).isEqualTo(2);
        assertThat(other.exec(exec("e", 0)).exitCode()).isZero();
        assertThat(provider().reap("mine")).isZero();
    }

    @Test
    void isKnownToAServiceThatWasStartedAgain() throws Exception {
        Sandbox made = provider.create(spec("a0", "mine"));
        made.exec(exec("exec#1.0", 0));
        Sandbox ended = provider.create(spec("a1", "mine"));
        ended.close();
        service.close();
        service = Services.start(SimProcess.Kind.SANDBOX, folder.resolve("sandbox.jsonl"));
        assertThat(provider().attach(made.leaseName()).orElseThrow().executedIds())
                .containsExactly("exec#1.0");
        assertThat(provider().attach(ended.leaseName())).isEmpty();
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
        Sandbox once = tasks.open(TASK, "run/g1/a0/x/t1", "mine");
        once.exec(exec("exec#1.0", 0));
        Sandbox twice = tasks.open(TASK, "run/g1/a1/x/t1", "mine");
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
    void endsASandboxThoughTheServiceRefusesAtFirst() throws Exception {
        Sandbox sandbox = provider.create(spec("a0", "mine"));
        service.arm("terminate -> 500 three times");
        sandbox.close();
        assertThat(provider().attach(sandbox.leaseName())).isEmpty();
    }

    @Test
    void waitsForAServiceThatIsAway() throws Exception {
        service.arm("create -> 503 for 200 s");
        assertThat(provider.create(spec("a0", "mine")).exec(exec("e", 0)).exitCode()).isZero();
    }

    @Test
    void saysOfWhichKindAFailureIs() throws Exception {
        Sandbox sandbox = provider.create(spec("a0", "mine"));
        service.arm("exec -> gone");
        assertThat(kind(() -> sandbox.exec(exec("e", 0)))).isEqualTo(Kind.DIED);
        service.arm("create -> 500 once");
        assertThat(kind(() -> provider.create(spec("a1", "mine")))).isEqualTo(Kind.CREATE_FAILED);
        service.close();
        SimSandboxProvider impatient = new SimSandboxProvider(new ServiceClient(service.port(), 0));
        assertThat(kind(() -> impatient.create(spec("a1", "mine")))).isEqualTo(Kind.UNREACHABLE);
    }

    private interface Failing {
        void run() throws SandboxException;
    }

    private static Kind kind(Failing call) {
        return catchThrowableOfType(SandboxException.class, call::run).kind();
    }

    private static GradingVerdict graded(SimTasks tasks, Sandbox sandbox) throws Exception {
        String lease = sandbox.leaseName().replace("/t1", "/grade1");
        return tasks.grade(TASK, tasks.capture(TASK, sandbox), lease, "mine");
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
        return new SimSandboxProvider(new ServiceClient(service.port(), 5000));
    }

    private static SandboxSpec spec(String attempt, String owner) {
        return new SandboxSpec(
                "run/g1/" + attempt + "/x/t1",
                owner,
                "",
                "/workspace",
                Map.of(),
                SandboxLimits.SMALL);
    }
}
