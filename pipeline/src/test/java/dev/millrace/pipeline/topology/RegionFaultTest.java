package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.udfs.model.StepEvent;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A region is lost with 100 commands under way, each in a sandbox of its own. */
@Timeout(600)
class RegionFaultTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int COMMANDS = 100;
    private final Commands commands = new Commands();
    private final FakeProvider provider = new FakeProvider(Attach.ANYWHERE, commands);
    @TempDir Path folder;

    /**
     * Commands of agents that are trained on wait: every second one before it runs, the others when
     * it has run.
     */
    private static final class Commands implements FakeFaults {
        private final AtomicInteger number = new AtomicInteger();
        private final AtomicInteger waiting = new AtomicInteger();
        private final Set<String> afterwards = new TreeSet<>();
        private volatile Predicate<String> free = lease -> !lease.contains("/g");
        private final CountDownLatch first = new CountDownLatch(1);
        private final CountDownLatch all = new CountDownLatch(1);

        private boolean byAgent(String lease, ExecRequest request) {
            return !free.test(lease) && request.command().startsWith("write ");
        }

        @Override
        public void exec(String lease, ExecRequest request) throws InterruptedException {
            if (byAgent(lease, request) && all.getCount() > 0) {
                boolean before = number.incrementAndGet() % 2 == 0;
                if (before) {
                    hold();
                } else {
                    synchronized (this) {
                        afterwards.add(lease);
                    }
                }
            }
        }

        @Override
        public void answer(String lease, ExecRequest request) throws InterruptedException {
            boolean held;
            synchronized (this) {
                held = byAgent(lease, request) && afterwards.remove(lease);
            }
            if (held) {
                hold();
            }
        }

        private void hold() throws InterruptedException {
            // One of them comes back first.
            if (waiting.incrementAndGet() == 1) {
                first.await();
            } else {
                all.await();
            }
        }

        int waiting() {
            return waiting.get();
        }
    }

    private FakeRun run(EmbeddedBroker broker, String name, int groupsPerBatch, int maxLag)
            throws Exception {
        return new FakeRun(
                broker,
                folder,
                name,
                FakeBackends.on(name, 1, provider),
                "train.groupsPerBatch=" + groupsPerBatch,
                "train.groupsPerMinibatch=" + groupsPerBatch,
                "train.maxLag=" + maxLag,
                "train.steps=2",
                "rollout.slots=" + COMMANDS,
                "rollout.execTimeout=5m",
                "rollout.attemptTimeout=10m",
                "rollout.groupDeadline=1h",
                "eval.slots=" + COMMANDS);
    }

    @Test
    void whenRolloutIsLostTheTrainerGoesOnAndNoCommandHasAnEffectTwiceInASandbox()
            throws Exception {
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = run(broker, "rollout-lost", 13, 1)) {
            run.start(null);
            await().atMost(PATIENCE).until(() -> commands.waiting() >= COMMANDS);
            run.backends.world().failRollout().set(true);
            commands.first.countDown();
            await().atMost(PATIENCE).until(() -> run.restarts("Play attempts") == 1);
            await().atMost(PATIENCE).until(() -> commands.waiting() >= 2 * COMMANDS - 2);
            commands.all.countDown();
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(run.restarts("Train")).isZero();
            assertNothingHappenedTwice(run);
            assertThat(provider.alive()).isEmpty();
        }
    }

    @Test
    void whenTheTrainerIsLostOpenAttemptsGoOnInTheirSandboxes() throws Exception {
        commands.first.countDown();
        commands.free = lease -> !lease.matches(".*/g(\\d\\d+|[4-9])/.*");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = run(broker, "trainer-lost", 2, 13)) {
            CompletableFuture<Void> training = new CompletableFuture<>();
            run.backends.world().training().set(training);
            run.start(null);
            // Four groups of 28 are through, some of them and their like may be dropped.
            await().atMost(PATIENCE).until(() -> commands.waiting() >= COMMANDS - 4);
            run.backends.world().failTraining().set(true);
            training.complete(null);
            await().atMost(PATIENCE).until(() -> run.restarts("Train") == 1);
            commands.all.countDown();
            assertThat(run.end()).isEqualTo("FINISHED");
            assertThat(run.restarts("Play attempts")).isZero();
            assertThat(provider.everMade()).as("no attempt began anew").doesNotHaveDuplicates();
            assertThat(provider.everMade()).noneMatch(lease -> lease.endsWith("/t2"));
            assertThat(provider.alive()).isEmpty();
        }
    }

    /** In no sandbox; and the one that was graded ran what the journal knows. */
    private void assertNothingHappenedTwice(FakeRun run) {
        List<StepEvent> journal = run.read(run.topics().turns(), StepEvent.class);
        Set<String> captured = ends(journal, StepEvent.Kind.CAPTURED);
        int rebuilt = 0;
        for (String lease : new TreeSet<>(provider.everMade())) {
            List<List<String>> sandboxes = provider.executed(lease);
            assertThat(sandboxes).allSatisfy(ids -> assertThat(ids).doesNotHaveDuplicates());
            rebuilt += sandboxes.size() - 1;
            String attempt = lease.substring(0, lease.indexOf('/', lease.indexOf("/a") + 1));
            if (captured.contains(attempt) && lease.endsWith("/t1")) {
                assertThat(sandboxes.get(sandboxes.size() - 1))
                        .isEqualTo(commandsOf(journal, attempt));
            }
        }
        assertThat(rebuilt).as("sandboxes that were ahead of the journal").isPositive();
    }

    private static Set<String> ends(List<StepEvent> journal, StepEvent.Kind kind) {
        return journal.stream()
                .filter(event -> event.kind() == kind)
                .map(StepEvent::itemId)
                .collect(Collectors.toSet());
    }

    private static List<String> commandsOf(List<StepEvent> journal, String attempt) {
        return journal.stream()
                .filter(event -> event.itemId().equals(attempt))
                .map(StepEvent::effectId)
                .filter(id -> id.startsWith("exec#"))
                .distinct()
                .toList();
    }
}
