package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import io.grpc.Status;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class AuthTokensTest {
    private final AtomicLong now = new AtomicLong(1_000_000);
    private final InstantSource clock = () -> Instant.ofEpochMilli(now.get());
    private final AtomicInteger fetched = new AtomicInteger();
    private Status away = Status.OK;

    private String fetch() throws SandboxException {
        int number = fetched.incrementAndGet();
        if (!away.isOk()) {
            throw ModalFailure.of("fetching", away.asRuntimeException());
        }
        return token(number, now.get() / 1000 + 1_000);
    }

    private static String token(int number, long expirySeconds) {
        String claims = "{\"exp\":" + expirySeconds + ",\"n\":" + number + "}";
        return "h." + ServedTokens.part(claims) + ".s";
    }

    private AuthTokens tokens() {
        return new AuthTokens(this::fetch, clock, () -> 0.5);
    }

    @Test
    void exchangesATokenAfterHalfOfItsLifeAndABitMore() throws Exception {
        AuthTokens tokens = tokens();
        String first = tokens.current();
        now.addAndGet(549_000);
        assertThat(tokens.current()).isEqualTo(first);
        now.addAndGet(2_000);
        assertThat(tokens.current()).isNotEqualTo(first);
        assertThat(fetched).hasValue(2);
    }

    @Test
    void keepsAnOldTokenAsLongAsItHoldsAndAsksMoreAndMoreSeldom() throws Exception {
        AuthTokens tokens = tokens();
        String first = tokens.current();
        away = Status.UNAVAILABLE;
        now.addAndGet(600_000);
        List<Integer> after = new ArrayList<>();
        for (int half = 0; half < 16; half++) {
            assertThat(tokens.current()).isEqualTo(first);
            after.add(fetched.get());
            now.addAndGet(500);
        }
        assertThat(after).as("at 0, 0.5, 1.5, 3.5, 7.5 s").endsWith(6).startsWith(2, 3, 3, 4);
        now.addAndGet(400_000);
        SandboxException gone = catchThrowableOfType(SandboxException.class, tokens::current);
        assertThat(gone.kind()).isEqualTo(Kind.UNREACHABLE);
        away = Status.OK;
        now.addAndGet(60_000);
        assertThat(tokens.current()).isNotEqualTo(first);
    }

    @Test
    void aRefusalIsFinal() {
        AuthTokens tokens = tokens();
        away = Status.UNAUTHENTICATED;
        for (int i = 0; i < 3; i++) {
            SandboxException refused =
                    catchThrowableOfType(SandboxException.class, tokens::current);
            assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
            now.addAndGet(100_000);
        }
        assertThat(fetched).hasValue(1);
    }

    @Test
    void takesTwentyMinutesWhereATokenDoesNotSay() throws Exception {
        AtomicInteger count = new AtomicInteger();
        AuthTokens tokens =
                new AuthTokens(() -> "opaque-" + count.incrementAndGet(), clock, () -> 0);
        assertThat(tokens.current()).isEqualTo("opaque-1");
        now.addAndGet(599_000);
        assertThat(tokens.current()).isEqualTo("opaque-1");
        now.addAndGet(2_000);
        assertThat(tokens.current()).isEqualTo("opaque-2");
    }

    @Test
    void oneCallerExchangesItForAllAndNobodyWaitsForOneThatHolds() throws Exception {
        CountDownLatch slow = new CountDownLatch(1);
        AuthTokens tokens =
                new AuthTokens(
                        () -> {
                            if (fetched.get() == 1) {
                                wait(slow);
                            }
                            return fetch();
                        },
                        clock,
                        () -> 0);
        String first = tokens.current();
        now.addAndGet(600_000);
        CompletableFuture<String> exchanging = CompletableFuture.supplyAsync(() -> get(tokens));
        await().until(() -> !exchanging.isDone() && tokens.current().equals(first));
        slow.countDown();
        assertThat(exchanging.get()).isNotEqualTo(first);
        assertThat(tokens.current()).isEqualTo(exchanging.get());
        assertThat(fetched).hasValue(2);
    }

    private static void wait(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String get(AuthTokens tokens) {
        try {
            return tokens.current();
        } catch (SandboxException e) {
            throw new IllegalStateException(e);
        }
    }
}
