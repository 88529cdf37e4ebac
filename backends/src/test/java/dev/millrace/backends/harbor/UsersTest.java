package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.docker.DockerProvider;
import dev.millrace.backends.docker.DockerSettings;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Whom the agent's commands and the tests run as. */
final class UsersTest extends VerifierFixture {
    private static final String ASK = "echo $(id -u) $(id -g) $(id -un) $HOME";
    private static final String TELL =
            "#!/bin/sh\n" + ASK + "\necho 1 > /logs/verifier/reward.txt\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "               | 1000 1000 agent /home/agent",
                "user = 'root'  | 0 0 root /root",
                "user = 0       | 0 0 root /root",
                "user = 4321    | 4321 4321 agent /home/agent",
                "user = 'tester'| 1000 1000 tester /home/tester"
            })
    void agentAndTestsRunAsWhomTheTaskNames(String line, String said) throws Exception {
        String user = line == null ? "" : line.replace('\'', '"') + "\n";
        TaskFolder agents = task().with("task.toml", TaskFolder.CLOSED + "[agent]\n" + user);
        assertThat(said(agents)).isEqualTo(said);
        String others = "1000 1000 agent /home/agent\n";
        assertThat(play(agents.with("tests/test.sh", TELL)).outputTail()).isEqualTo(others);
        TaskFolder tests = agents.with("task.toml", TaskFolder.CLOSED + "[verifier]\n" + user);
        assertThat(said(tests) + "\n").isEqualTo(others);
        Verdict verdict = play(tests.with("tests/test.sh", TELL));
        assertThat(verdict.outputTail()).isEqualTo(said + "\n");
        assertThat(verdict.reward()).isEqualTo(1.0);
    }

    @Test
    void rootOwnsItsFilesAndHasNoOtherRights() throws Exception {
        TaskFolder task = asRoot();
        String tried =
                "echo x > /etc/motd && cat /etc/motd; chown 5 sign.txt 2>/dev/null || echo no;"
                        + " mount -t tmpfs none /mnt 2>/dev/null || echo no; (echo x > /usr/x)"
                        + " 2>/dev/null || echo no; grep CapEff /proc/self/status | tr -d '\\t'";
        assertThat(said(task, tried)).isEqualTo("x\nno\nno\nno\nCapEff:0000000000000000");
        Verdict verdict = play(task, "sed -i s/minus/plus/ sign.txt");
        assertThat(verdict.reward()).isEqualTo(1.0);
        assertThat(play(task).reward()).isEqualTo(0.0);
    }

    @Test
    void anEnvironmentThatIsMadeOnceServesEveryUser() throws Exception {
        String run = TaskFolder.DOCKERFILE + "RUN id -un > made.txt\n";
        TaskFolder task = asRoot().with("environment/Dockerfile", run);
        assertThat(said(task, "cat made.txt; id -un; touch made.txt && echo mine"))
                .isEqualTo("root\nroot\nmine");
        assertThat(said(task.with("task.toml", TaskFolder.CLOSED), "cat made.txt; id -un"))
                .isEqualTo("agent\nagent");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "root:root", "-1", "x;id", "Ünal"})
    void whatIsNoUserIsRefusedBeforeThereIsASandbox(String user) throws Exception {
        for (String section : new String[] {"agent", "verifier"}) {
            String toml = TaskFolder.CLOSED + "[" + section + "]\nuser = \"" + user + "\"\n";
            HarborTask task = loader.load(task().with("task.toml", toml).path);
            assertThat(refusal(new TaskSandbox(provider), task))
                    .contains(section + ".user '" + user + "' is unsupported");
            assertThat(provider.leases("test")).isEmpty();
        }
    }

    @Test
    void aProviderSaysWhomItServes() throws Exception {
        HarborTask task = loader.load(asRoot().path);
        FakeProvider simulated = new FakeProvider(Attach.NONE, FakeFaults.NONE);
        assertThat(refusal(new TaskSandbox(simulated), task))
                .contains("agent.user 'root'")
                .contains(simulated.name());
        assertThat(simulated.leases("test")).isEmpty();
        try (DockerProvider docker =
                        new DockerProvider(DockerSettings.at(Path.of("/nowhere"), "a:1"));
                BubblewrapProvider bubblewrap = new BubblewrapProvider(scratch)) {
            assertThat(new String[] {"", "1000", "12"}).allMatch(docker::servesUser);
            assertThat(new String[] {"root", "0", "agent", "65534"}).noneMatch(docker::servesUser);
            assertThat(new String[] {"", "root", "0", "agent", "12"})
                    .allMatch(bubblewrap::servesUser);
        }
    }

    private TaskFolder asRoot() throws Exception {
        String users = "[agent]\nuser = \"root\"\n[verifier]\nuser = \"root\"\n";
        return task().with("task.toml", TaskFolder.CLOSED + users);
    }

    private static String refusal(TaskSandbox sandboxes, HarborTask task) {
        SandboxException refused =
                catchThrowableOfType(
                        SandboxException.class,
                        () -> sandboxes.prepare(task, Lease.of("a", "test")));
        assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
        return refused.getMessage();
    }

    private String said(TaskFolder task) throws Exception {
        return said(task, ASK);
    }

    private String said(TaskFolder task, String command) throws Exception {
        HarborTask loaded = loader.load(task.path);
        try (Sandbox sandbox = new TaskSandbox(provider).prepare(loaded, Lease.of("a", "test"))) {
            ExecRequest request = new ExecRequest("e", command, "", Map.of(), 10_000, 1000);
            return new String(sandbox.exec(request).output(), StandardCharsets.UTF_8).strip();
        }
    }
}
