package dev.millrace.backends.port;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;

final class PrerequisitesTest {
    private static SandboxProvider failing(SandboxException.Kind kind) {
        return new SandboxProvider() {
            @Override
            public String name() {
                return "elsewhere";
            }

            @Override
            public SandboxCapabilities probe() throws SandboxException {
                throw new SandboxException(kind, "no daemon at /run/elsewhere.sock");
            }

            @Override
            public Sandbox create(SandboxSpec spec) throws SandboxException {
                throw new SandboxException(kind, "not here");
            }

            @Override
            public Optional<Sandbox> attach(Lease lease) {
                return Optional.empty();
            }

            @Override
            public List<String> leases(String owner) {
                return List.of();
            }

            @Override
            public int reap(String owner, long fence, Set<String> keep) {
                return 0;
            }

            @Override
            public void close() {}
        };
    }

    @Test
    void aProviderThatCanNotWorkHereIsSkippedWithItsReason() {
        assertThatThrownBy(() -> Prerequisites.require(failing(SandboxException.Kind.UNSUPPORTED)))
                .isInstanceOf(TestAbortedException.class)
                .hasMessage("skipped: elsewhere: no daemon at /run/elsewhere.sock");
    }

    @Test
    void aProviderThatShouldWorkHereFails() throws Exception {
        assertThatThrownBy(
                        () -> Prerequisites.require(failing(SandboxException.Kind.CREATE_FAILED)))
                .isInstanceOf(SandboxException.class);
        try (SandboxProvider works =
                new FakeProvider(SandboxCapabilities.Attach.NONE, FakeFaults.NONE)) {
            Prerequisites.require(works);
        }
    }
}
