package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.NetworkAccess;
import dev.millrace.backends.modal.wire.Resources;
import dev.millrace.backends.modal.wire.SandboxCreateRequest;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;

/** The message that a sandbox is created from. */
final class CreateRequest {
    private static final int MILLI = 1000;
    private static final int LEAST_MILLI_CPU = 125;
    private static final int LEAST_MEMORY_MB = 128;

    private CreateRequest() {}

    /**
     * Without a network, and with the limits as hard ones: what is only requested may be exceeded.
     *
     * @param name that no other sandbox of the app has
     */
    static SandboxCreateRequest of(
            SandboxSpec spec, ModalSettings settings, String appId, String imageId, Names names) {
        dev.millrace.backends.modal.wire.Sandbox.Builder sandbox =
                dev.millrace.backends.modal.wire.Sandbox.newBuilder()
                        .addAllEntrypointArgs(Scripts.KEEPER)
                        .setImageId(imageId)
                        .setResources(resources(spec.limits()))
                        .setTimeoutSecs((int) (settings.times().lifetimeMillis() / 1000))
                        .setNetworkAccess(
                                NetworkAccess.newBuilder()
                                        .setNetworkAccessType(
                                                NetworkAccess.NetworkAccessType.BLOCKED))
                        .setName(names.name());
        long idle = new KeepAlive(spec.lease()).idleSeconds();
        if (idle > 0) {
            sandbox.setIdleTimeoutSecs((int) idle);
        }
        return SandboxCreateRequest.newBuilder()
                .setAppId(appId)
                .setDefinition(sandbox)
                .addAllTags(Tags.of(spec.lease(), names.process()))
                .build();
    }

    /**
     * By what it is found.
     *
     * @param name of the sandbox
     * @param process stamp of the provider
     */
    record Names(String name, String process) {}

    private static Resources resources(SandboxLimits limits) {
        int milliCpu = Math.max(LEAST_MILLI_CPU, (int) Math.round(limits.cpus() * MILLI));
        int memory = Math.max(LEAST_MEMORY_MB, limits.memoryMb());
        return Resources.newBuilder()
                .setMilliCpu(milliCpu)
                .setMilliCpuMax(milliCpu)
                .setMemoryMb(memory)
                .setMemoryMbMax(memory)
                .build();
    }
}
