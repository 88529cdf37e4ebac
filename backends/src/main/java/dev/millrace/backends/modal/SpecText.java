package dev.millrace.backends.modal;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.util.Map;

/** What a sandbox must be, in one line, for a process that takes it over. */
final class SpecText {
    private static final ObjectMapper JSON = new ObjectMapper();

    private SpecText() {}

    private record Content(
            String image,
            String workdir,
            Map<String, String> environment,
            double cpus,
            int memoryMb,
            int processes,
            int diskMb,
            String user) {}

    static String write(SandboxSpec spec) {
        SandboxLimits limits = spec.limits();
        try {
            return JSON.writeValueAsString(
                    new Content(
                            spec.image(),
                            spec.workdir(),
                            spec.environment(),
                            limits.cpus(),
                            limits.memoryMb(),
                            limits.processes(),
                            limits.diskMb(),
                            spec.user()));
        } catch (JsonProcessingException e) {
            throw new IllegalStateException("text and numbers can be written", e);
        }
    }

    static SandboxSpec read(Lease lease, String line) throws SandboxException {
        try {
            Content content = JSON.readValue(line, Content.class);
            SandboxSpec spec =
                    new SandboxSpec(
                            lease,
                            content.image(),
                            content.workdir(),
                            content.environment(),
                            new SandboxLimits(
                                    content.cpus(),
                                    content.memoryMb(),
                                    content.processes(),
                                    content.diskMb()));
            // Older ones don't say.
            String user = content.user() == null ? "" : content.user();
            return spec.as(requireServed(user));
        } catch (JsonProcessingException e) {
            throw new SandboxException(Kind.DIED, false, "a sandbox without its records", e);
        }
    }

    private static String requireServed(String user) throws SandboxException {
        if (!ModalSettings.serves(user)) {
            throw new SandboxException(Kind.DIED, "a sandbox whose records name '" + user + "'");
        }
        return user;
    }
}
