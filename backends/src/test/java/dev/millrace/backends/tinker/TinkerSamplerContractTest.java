package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.port.SamplerContract;

class TinkerSamplerContractTest extends SamplerContract {
    @Override
    protected PolicyBackend newBackend() throws Exception {
        return TinkerBackend.usual();
    }
}
