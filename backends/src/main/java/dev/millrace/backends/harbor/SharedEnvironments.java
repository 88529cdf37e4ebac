package dev.millrace.backends.harbor;

import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.port.SandboxSpec;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Environments that are made once and then shared by all sandboxes that want the same. */
final class SharedEnvironments {
    private final SandboxProvider provider;
    private final Map<String, CompletableFuture<Boolean>> making = new ConcurrentHashMap<>();

    SharedEnvironments(SandboxProvider provider) {
        this.provider = provider;
    }

    /** Makes a sandbox with the environment in it. */
    interface Build {
        Sandbox build() throws SandboxException;
    }

    /**
     * A sandbox with an environment. The first that asks for it builds it; who asks meanwhile waits
     * for that, and builds its own if that comes to nothing.
     *
     * @param key of the environment
     * @param patienceMillis how long to wait for somebody else's
     */
    Sandbox open(String key, SandboxSpec spec, long patienceMillis, Build build)
            throws SandboxException {
        Optional<Sandbox> kept = provider.createFrom(key, spec);
        if (kept.isPresent()) {
            return kept.get();
        }
        CompletableFuture<Boolean> mine = new CompletableFuture<>();
        CompletableFuture<Boolean> other = making.putIfAbsent(key, mine);
        if (other == null) {
            return first(key, build, mine);
        }
        kept = made(other, patienceMillis) ? provider.createFrom(key, spec) : Optional.empty();
        return kept.isPresent() ? kept.get() : build.build();
    }

    /**
     * The same for environments that are made in sandboxes of another kind: those are only there
     * until their file tree is kept.
     */
    Sandbox openApart(String key, SandboxSpec spec, long patienceMillis, Build build)
            throws SandboxException {
        return open(key, spec, patienceMillis, () -> keptApart(key, spec, build));
    }

    private Sandbox keptApart(String key, SandboxSpec spec, Build build) throws SandboxException {
        try (Sandbox making = build.build()) {
            if (!making.keepAs(key)) {
                throw new SandboxException(
                        Kind.IMAGE, "the file tree of the environment is too large to be kept");
            }
        }
        return provider.createFrom(key, spec)
                .orElseThrow(
                        () -> new SandboxException(Kind.CREATE_FAILED, "its file tree is gone"));
    }

    private Sandbox first(String key, Build build, CompletableFuture<Boolean> mine)
            throws SandboxException {
        boolean shared = false;
        try {
            Sandbox sandbox = build.build();
            try {
                shared = sandbox.keepAs(key);
                return sandbox;
            } catch (SandboxException e) {
                sandbox.close();
                throw e;
            }
        } finally {
            making.remove(key, mine);
            mine.complete(shared);
        }
    }

    private static boolean made(CompletableFuture<Boolean> other, long millis)
            throws SandboxException {
        try {
            return other.get(millis, TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        }
    }
}
