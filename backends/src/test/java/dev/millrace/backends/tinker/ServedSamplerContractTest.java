package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.port.SamplerContract;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** The contract, against a real server. */
@EnabledIfEnvironmentVariable(
        named = ServedBackend.URL,
        matches = "http.*",
        disabledReason = ServedBackend.WHY)
class ServedSamplerContractTest extends SamplerContract {
    @Override
    protected PolicyBackend newBackend() throws Exception {
        return ServedBackend.open();
    }
}
