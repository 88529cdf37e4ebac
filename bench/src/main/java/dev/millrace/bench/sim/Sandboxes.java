package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The sandboxes that are alive, and who may use them: a lease belongs to the highest fence that has
 * asked for it. Everything that changes it is in the log. Not thread-safe.
 */
final class Sandboxes {
    private static final int NOT_FOUND = 404;
    private static final int GONE = 410;
    private static final int FENCED = 412;

    private final ServiceLog log;
    private final Map<String, SimBox> alive = new HashMap<>();
    private final Map<String, Long> fences = new HashMap<>();
    private final Map<String, Long> owners = new HashMap<>();
    private long nextId = 1;

    /**
     * @param past what the log holds already
     */
    Sandboxes(ServiceLog log, List<JsonNode> past) {
        this.log = log;
        past.forEach(this::again);
    }

    /** All of them. */
    List<SimBox> all() {
        return List.copyOf(alive.values());
    }

    /** The sandbox of a lease, if this fence made it. */
    Optional<SimBox> sameFence(JsonNode request) {
        requireCurrent(request);
        return Optional.ofNullable(alive.get(request.path("lease").asText()))
                .filter(box -> box.fence == request.path("fence").asLong());
    }

    /** Makes one in place of any other of the lease. */
    SimBox create(JsonNode request) {
        requireCurrent(request);
        String lease = request.path("lease").asText();
        end(lease, "replaced");
        ObjectNode line =
                ServiceLog.line("create")
                        .put("id", nextId)
                        .put("lease", lease)
                        .put("owner", request.path("owner").asText())
                        .put("fence", request.path("fence").asLong())
                        .put("ttl", request.path("ttl").asLong())
                        .put("admission", LeaseName.of(lease).admission());
        log.append(line);
        again(line);
        return alive.get(lease);
    }

    /** The sandbox of a lease, which belongs to the fence that asks from now on. */
    SimBox takeOver(JsonNode request) {
        requireCurrent(request);
        String lease = request.path("lease").asText();
        if (!alive.containsKey(lease)) {
            throw new ServiceRefusal(NOT_FOUND, "no sandbox has this lease");
        }
        ObjectNode line =
                ServiceLog.line("attach")
                        .put("lease", lease)
                        .put("fence", request.path("fence").asLong());
        log.append(line);
        again(line);
        return alive.get(lease);
    }

    /** The sandbox that a request is about, if whoever asks may use it. */
    SimBox use(JsonNode request) {
        SimBox box = alive.get(request.path("lease").asText());
        if (box == null || box.id != request.path("id").asLong()) {
            throw new ServiceRefusal(GONE, "the sandbox is gone");
        }
        if (box.fence != request.path("fence").asLong()) {
            throw new ServiceRefusal(FENCED, "a newer owner has the lease");
        }
        box.usedAt = System.currentTimeMillis();
        return box;
    }

    /** Ends the sandbox of a lease for whoever may; for others it does nothing. */
    void terminate(JsonNode request) {
        SimBox box = alive.get(request.path("lease").asText());
        long id = request.path("id").asLong(0);
        if (box != null
                && (id == 0 || id == box.id)
                && request.path("fence").asLong() >= box.fence) {
            end(box.lease, "terminated");
        }
    }

    /** Ends what older openings of an owner have left. */
    int reap(String owner, long fence, Set<String> keep) {
        ObjectNode line = ServiceLog.line("reap").put("owner", owner).put("fence", fence);
        log.append(line);
        again(line);
        List<SimBox> left =
                alive.values().stream()
                        .filter(box -> box.owner.equals(owner) && box.fence < fence)
                        .filter(box -> !keep.contains(box.lease))
                        .toList();
        left.forEach(box -> end(box.lease, "reaped"));
        return left.size();
    }

    /** Ends what nobody has used for its time to live. */
    void expire() {
        long now = System.currentTimeMillis();
        all().stream()
                .filter(box -> box.ttlMillis > 0 && now - box.usedAt > box.ttlMillis)
                .forEach(box -> end(box.lease, "expired"));
    }

    void end(String lease, String how) {
        SimBox box = alive.get(lease);
        if (box != null) {
            ObjectNode line = ServiceLog.line("end").put("id", box.id).put("lease", lease);
            log.append(line.put("how", how));
            again(line);
        }
    }

    private void requireCurrent(JsonNode request) {
        long newest =
                Math.max(
                        fences.getOrDefault(request.path("lease").asText(), 0L),
                        owners.getOrDefault(request.path("owner").asText(), 0L));
        if (request.path("fence").asLong() < newest) {
            throw new ServiceRefusal(FENCED, "a newer owner has the lease");
        }
    }

    /** Does what a line of the log says was done. */
    private void again(JsonNode line) {
        String lease = line.path("lease").asText();
        long fence = line.path("fence").asLong();
        switch (line.path("op").asText()) {
            case "create" -> {
                long id = line.path("id").asLong();
                nextId = id + 1;
                fences.merge(lease, fence, Math::max);
                alive.put(
                        lease,
                        new SimBox(
                                id,
                                lease,
                                line.path("owner").asText(),
                                fence,
                                line.path("ttl").asLong(),
                                line.path("at").asLong()));
            }
            case "attach" -> {
                fences.merge(lease, fence, Math::max);
                alive.get(lease).fence = fence;
                alive.get(lease).usedAt = line.path("at").asLong();
            }
            case "reap" -> {
                if (fence != Long.MAX_VALUE) {
                    owners.merge(line.path("owner").asText(), fence, Math::max);
                }
            }
            case "exec" ->
                    alive.get(lease)
                            .run(line.path("effect").asText(), line.path("command").asText());
            case "put" -> alive.get(lease).put(line.path("directory").asText(), line.path("files"));
            case "end" -> alive.remove(lease);
            default -> throw new IllegalStateException("The log holds an unknown line: " + line);
        }
    }
}
