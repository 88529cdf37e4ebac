package dev.millrace.backends.port;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.SandboxException.Kind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every provider has to do about leases, their owners and their lifetimes. */
@Timeout(60)
public abstract class LeaseContract {
    private static final AtomicInteger LEASES = new AtomicInteger();

    protected SandboxProvider provider;

    /** A fresh provider. */
    protected abstract SandboxProvider newProvider() throws Exception;

    @BeforeEach
    final void open() throws Exception {
        provider = newProvider();
        Prerequisites.require(provider);
    }

    @AfterEach
    final void close() {
        provider.close();
    }

    protected static String newLease() {
        return "lease-" + LEASES.incrementAndGet();
    }

    private static SandboxSpec spec(Lease lease) {
        return new SandboxSpec(lease, "", "/workspace", Map.of(), SandboxLimits.SMALL);
    }

    private static Lease lease(String name, long fence) {
        return new Lease(name, "run/rollout/0", fence, 0);
    }

    private static ExecRequest command(String effectId) {
        return new ExecRequest(effectId, "true", "", Map.of(), 20_000, 1_000);
    }

    private static Kind refusal(org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        SandboxException refused = catchThrowableOfType(SandboxException.class, call);
        assertThat(refused.policyCaused()).isFalse();
        return refused.kind();
    }

    @Test
    void creatingALeaseTwiceWithOneFenceGivesOneSandbox() throws Exception {
        String name = newLease();
        CompletableFuture<Sandbox> other =
                CompletableFuture.supplyAsync(
                        () -> {
                            try {
                                return provider.create(spec(lease(name, 5)));
                            } catch (SandboxException e) {
                                throw new IllegalStateException(e);
                            }
                        });
        Sandbox first = provider.create(spec(lease(name, 5)));
        first.exec(command("a"));
        other.get().exec(command("b"));
        assertThat(first.executedIds()).containsExactlyInAnyOrder("a", "b");
        assertThat(provider.leases("run")).containsExactly(name);
    }

    @Test
    void aNewerFenceReplacesTheSandboxAndTheOlderOwnerIsRefused() throws Exception {
        String name = newLease();
        Sandbox old = provider.create(spec(lease(name, 5)));
        old.exec(command("a"));
        Sandbox fresh = provider.create(spec(lease(name, 6)));
        assertThat(fresh.executedIds()).isEmpty();
        assertThat(refusal(() -> provider.create(spec(lease(name, 5))))).isEqualTo(Kind.FENCED);
        assertThat(refusal(() -> provider.attach(lease(name, 5)))).isEqualTo(Kind.FENCED);
        assertThat(refusal(() -> old.exec(command("b")))).isIn(Kind.DIED, Kind.FENCED);
        old.kill();
        old.close();
        fresh.exec(command("c"));
        assertThat(fresh.executedIds()).containsExactly("c");
    }

    @Test
    void whoAttachesTakesTheSandboxOver() throws Exception {
        String name = newLease();
        Sandbox old = provider.create(spec(lease(name, 5)));
        old.exec(command("a"));
        Sandbox taken = provider.attach(lease(name, 6)).orElseThrow();
        assertThat(taken.executedIds()).containsExactly("a");
        assertThat(refusal(() -> old.exec(command("b")))).isEqualTo(Kind.FENCED);
        assertThat(refusal(() -> old.putFiles("/workspace", List.of()))).isEqualTo(Kind.FENCED);
        assertThat(refusal(() -> old.getFiles("/workspace", 10))).isEqualTo(Kind.FENCED);
        assertThat(refusal(old::renew)).isEqualTo(Kind.FENCED);
        old.kill();
        old.terminate();
        old.close();
        taken.exec(command("c"));
        assertThat(taken.executedIds()).containsExactly("a", "c");
    }

    @Test
    void aFenceOutlivesTheSandbox() throws Exception {
        String name = newLease();
        provider.create(spec(lease(name, 6))).close();
        assertThat(refusal(() -> provider.create(spec(lease(name, 5))))).isEqualTo(Kind.FENCED);
        assertThat(provider.leases("run")).isEmpty();
    }

    @Test
    void reapingSparesWhatIsNamedAndWhatIsNew() throws Exception {
        String open = newLease();
        String orphan = newLease();
        String young = newLease();
        String foreign = newLease();
        provider.create(spec(lease(open, 5)));
        provider.create(spec(lease(orphan, 5)));
        provider.create(spec(lease(young, 7)));
        provider.create(spec(new Lease(foreign, "run/rollout/1", 5, 0)));
        assertThat(provider.reap("run/rollout/0", 7, Set.of(open))).isEqualTo(1);
        assertThat(provider.leases("run")).containsExactlyInAnyOrder(open, young, foreign);
        assertThat(provider.attach(lease(open, 7))).isPresent();
        assertThat(refusal(() -> provider.create(spec(lease(newLease(), 6)))))
                .as("an opening of the past makes no new sandboxes")
                .isEqualTo(Kind.FENCED);
    }

    @Test
    void aSandboxThatNobodyRenewsEndsByItself() throws Exception {
        String kept = newLease();
        String left = newLease();
        Sandbox renewed = provider.create(spec(new Lease(kept, "run/rollout/0", 1, ttlMillis())));
        Sandbox idle = provider.create(spec(new Lease(left, "run/rollout/0", 1, ttlMillis())));
        await().atMost(Duration.ofMillis(20 * ttlMillis()))
                .until(
                        () -> {
                            renewed.renew();
                            passTime();
                            return provider.leases("run").equals(List.of(kept));
                        });
        assertThat(refusal(() -> idle.exec(command("late")))).isEqualTo(Kind.DIED);
    }

    /** Longer than a provider takes to list its leases. */
    protected long ttlMillis() {
        return 1_500;
    }

    /** For providers whose clock does not move by itself. */
    protected void passTime() {}

    @Test
    void terminatedMeansRemoved() throws Exception {
        for (int i = 0; i < 20; i++) {
            Sandbox sandbox = provider.create(spec(lease(newLease(), 1)));
            sandbox.exec(command("a"));
            sandbox.terminate();
            sandbox.terminate();
        }
        assertThat(provider.leases("run")).isEmpty();
    }
}
