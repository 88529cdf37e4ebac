package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.IsolationContract;
import dev.millrace.backends.port.SandboxProvider;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The whole contract, against this project's own stand-in for Modal's servers. What the stand-in's
 * containers isolate says nothing about Modal's; everything else is the provider's own work.
 */
@Timeout(120)
final class ModalProviderTest extends IsolationContract {
    private static StandInServer server;

    @BeforeAll
    static void start() throws Exception {
        server = new StandInServer();
    }

    @AfterAll
    static void stop() throws Exception {
        server.close();
    }

    @Override
    protected SandboxProvider newProvider() throws Exception {
        Containers.require();
        return server.provider();
    }

    @Override
    protected Set<String> ownOfTheImage() {
        return Set.of("/var/lib");
    }

    @Override
    protected long ttlMillis() {
        return 8_000;
    }

    @Override
    protected List<String> leftovers() {
        return server.control().sandboxes().live();
    }

    @Test
    void saysWhatItEnforcesAndWhatNot() throws Exception {
        assertThat(provider.probe().enforced()).contains("network: blocked");
        assertThat(provider.probe().notEnforced()).anyMatch(line -> line.startsWith("disk"));
    }
}
