package dev.millrace.backends.docker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.IsolationContract;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.sandbox.LabelledSandboxes;
import dev.millrace.backends.sandbox.Labels;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole contract against a real daemon: the one at {@code MILLRACE_TEST_DOCKER}, or the usual
 * socket, with the image {@code MILLRACE_TEST_IMAGE}, which needs python3 and procps.
 */
@Timeout(120)
final class DockerProviderTest extends IsolationContract {
    private static final Path SOCKET =
            Path.of(
                    Optional.ofNullable(System.getenv("MILLRACE_TEST_DOCKER"))
                            .orElse("/var/run/docker.sock"));
    private static final String IMAGE =
            Optional.ofNullable(System.getenv("MILLRACE_TEST_IMAGE")).orElse("millrace/test:1");

    @Override
    protected SandboxProvider newProvider() {
        return new DockerProvider(DockerSettings.at(SOCKET, IMAGE));
    }

    @Override
    protected Set<String> ownOfTheImage() {
        return Set.of("/etc/machine-id", "/var/lib", "/sys/kernel", "/boot");
    }

    @Override
    protected long ttlMillis() {
        return 6_000;
    }

    @Override
    protected List<String> leftovers() {
        String mine = "millrace-" + ProcessHandle.current().pid() + "-";
        return containers().stream()
                .map(found -> found.labels().toString())
                .filter(labels -> labels.contains(mine))
                .toList();
    }

    private static List<LabelledSandboxes.Found> containers() {
        Engine engine = new Engine(SOCKET);
        try {
            engine.connect(20_000);
            return new Containers(engine, 20_000).labelled(Labels.PROCESS, "");
        } catch (SandboxException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void readsFilesOfAContainerThatWasKilled() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            run(sandbox, "echo result > out; (setsid sh -c 'while :; do date > out; done' &)");
            sandbox.kill();
            List<SandboxFile> files = sandbox.getFiles("/workspace", 1000);
            assertThat(files).extracting(SandboxFile::path).containsExactly("out");
            assertThat(sandbox.getFiles("/workspace", 1000))
                    .as("nothing changes it any more")
                    .usingRecursiveComparison()
                    .isEqualTo(files);
            SandboxException died =
                    catchThrowableOfType(SandboxException.class, () -> run(sandbox, "true"));
            assertThat(died.kind()).isEqualTo(Kind.DIED);
        }
    }

    @Test
    void aContainerThatSomeoneKillsOnTheHostIsNotThePolicysFault() throws Exception {
        Sandbox sandbox = sandbox();
        CompletableFuture<SandboxException> running =
                CompletableFuture.supplyAsync(
                        () ->
                                catchThrowableOfType(
                                        SandboxException.class, () -> run(sandbox, "sleep 56")));
        await().until(() -> sandbox.executedIds().size() == 1);
        Engine engine = new Engine(SOCKET);
        engine.connect(20_000);
        String stamp = "millrace-" + ProcessHandle.current().pid() + "-";
        for (LabelledSandboxes.Found found : containers()) {
            if (found.labels().get(Labels.PROCESS).startsWith(stamp)) {
                new Containers(engine, 20_000).kill(found.id());
            }
        }
        assertThat(running.get().kind()).isEqualTo(Kind.DIED);
        assertThat(running.get().policyCaused()).isFalse();
    }

    @Test
    void anotherProvidersContainerIsFencedAndReapedByItsLabels() throws Exception {
        Lease old = new Lease(newLease() + "-shared", "run-shared/rollout/0", 5, 0);
        Lease kept = new Lease(newLease() + "-kept", "run-shared/rollout/0", 5, 0);
        try (SandboxProvider other = newProvider()) {
            Sandbox lost = other.create(spec(old));
            other.create(spec(kept));
            assertThat(provider.leases("run-shared")).contains(old.name(), kept.name());
            provider.create(spec(new Lease(old.name(), "run-shared/grading/0", 1, 0))).close();
            assertThat(text(run(lost, "echo alive"))).as("another stage's").isEqualTo("alive\n");
            SandboxException fenced =
                    catchThrowableOfType(
                            SandboxException.class,
                            () -> provider.create(spec(new Lease(old.name(), old.owner(), 4, 0))));
            assertThat(fenced.kind()).isEqualTo(Kind.FENCED);
            assertThat(provider.reap(old.owner(), 6, Set.of(kept.name()))).isEqualTo(1);
            assertThat(provider.leases("run-shared")).containsExactly(kept.name());
            SandboxException died =
                    catchThrowableOfType(SandboxException.class, () -> run(lost, "true"));
            assertThat(died.kind()).isEqualTo(Kind.DIED);
        }
    }

    @Test
    void keepsItsFilesWhenACommandLeavesNoProcessToKillItBy() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            run(sandbox, "echo kept > file");
            String everyProcessTaken =
                    "python3 -c 'import os, time\nwhile True:\n  try:\n    if os.fork() == 0:"
                            + " time.sleep(600)\n  except OSError: time.sleep(600)'";
            ExecResult bomb = sandbox.exec(command(everyProcessTaken, 2_000));
            assertThat(bomb.timedOut()).isTrue();
            assertThat(text(run(sandbox, "cat file; pgrep python3; true"))).isEqualTo("kept\n");
        }
    }

    @Test
    void aCommandThatIsTooLongForTheKernelFailsAsInAShell() throws Exception {
        try (Sandbox sandbox = sandbox()) {
            ExecResult result =
                    sandbox.exec(
                            new ExecRequest(
                                    "e", "echo " + "x".repeat(200_000), "", Map.of(), 5_000, 500));
            assertThat(result.exitCode()).isEqualTo(126);
            assertThat(new String(result.output(), StandardCharsets.UTF_8)).contains("too long");
        }
    }

    @Test
    void saysWhatItEnforces() throws Exception {
        assertThat(provider.probe().enforced())
                .contains("network: none")
                .anyMatch(line -> line.startsWith("disk: quota"));
    }

    private static SandboxSpec spec(Lease lease) {
        return new SandboxSpec(lease, "", "/workspace", Map.of(), SandboxLimits.SMALL);
    }
}
