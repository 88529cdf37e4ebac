package dev.millrace.backends.fake;

import dev.millrace.backends.port.LeaseContract;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxProvider;

final class FakeProviderTest extends LeaseContract {
    @Override
    protected SandboxProvider newProvider() {
        return new FakeProvider(Attach.ANYWHERE, FakeFaults.NONE);
    }

    @Override
    protected void passTime() {
        ((FakeProvider) provider).expire(System.nanoTime());
    }
}
