package dev.millrace.backends.tinker;

import dev.millrace.backends.port.PolicyBackend;
import dev.millrace.backends.port.PolicyTrainerContract;

class TinkerTrainerContractTest extends PolicyTrainerContract {
    @Override
    protected PolicyBackend newBackend() throws Exception {
        return TinkerBackend.usual();
    }
}
