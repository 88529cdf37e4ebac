package dev.millrace.backends.docker;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxCapabilities;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A first sandbox, which shows what a daemon does rather than what it says. */
final class Trial {
    private static final String NAME = "probe";
    private static final long TIMEOUT_MILLIS = 20_000;

    private Trial() {}

    /**
     * Makes one of the usual image, where there is one.
     *
     * @param stamp of the provider, so that two don't take each other's trial for their own
     * @return the capabilities and what was seen
     * @throws SandboxException of kind UNSUPPORTED, with the reason, when it can't be made
     */
    static SandboxCapabilities run(
            SandboxProvider provider,
            String stamp,
            DockerSettings settings,
            SandboxCapabilities known)
            throws SandboxException {
        if (settings.image().isEmpty()) {
            return known;
        }
        SandboxSpec spec =
                new SandboxSpec(
                        NAME + "-" + stamp, NAME, "", "/workspace", Map.of(), SandboxLimits.SMALL);
        try (Sandbox sandbox = provider.create(spec)) {
            List<String> enforced = new ArrayList<>(known.enforced());
            List<String> not = new ArrayList<>(known.notEnforced());
            boolean nested = exitCode(sandbox, "unshare -Ur true") == 0;
            (nested ? not : enforced).add("no user namespaces inside");
            if (exitCode(sandbox, "true") != 0) {
                throw new SandboxException(Kind.CREATE_FAILED, "its shell runs nothing");
            }
            return new SandboxCapabilities(known.attach(), enforced, not);
        } catch (SandboxException e) {
            if (e.kind() != Kind.CREATE_FAILED && e.kind() != Kind.IMAGE) {
                throw e;
            }
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    false,
                    "no sandbox can be made of image " + settings.image() + ": " + e.getMessage(),
                    e);
        }
    }

    private static int exitCode(Sandbox sandbox, String command) throws SandboxException {
        return sandbox.exec(new ExecRequest(NAME, command, "", Map.of(), TIMEOUT_MILLIS, 1_000))
                .exitCode();
    }
}
