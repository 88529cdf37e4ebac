package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.GenericResult;
import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.modal.wire.SandboxCreateRequest;
import dev.millrace.backends.modal.wire.SandboxGetTaskIdResponse;
import dev.millrace.backends.modal.wire.SandboxInfo;
import dev.millrace.backends.modal.wire.SandboxListRequest;
import dev.millrace.backends.modal.wire.SandboxListResponse;
import dev.millrace.backends.modal.wire.SandboxTag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Sandboxes of the stand-in server. */
final class ServedSandboxes {
    private static final int DISK_MB = 32;
    private static final int PAGE = 3;

    private final AtomicInteger count = new AtomicInteger();
    private final Map<String, One> all = new ConcurrentHashMap<>();
    private volatile boolean dieAtInit;
    private volatile int looksUntilStarted;

    private static final class One {
        final SandboxCreateRequest request;
        final int number;
        ServedContainer container;
        GenericStatus status = GenericStatus.GENERIC_STATUS_UNSPECIFIED;
        List<SandboxTag> tags;
        int looks;

        One(SandboxCreateRequest request, int number) {
            this.request = request;
            this.number = number;
            this.tags = request.getTagsList();
        }

        synchronized boolean lives() {
            boolean open = status == GenericStatus.GENERIC_STATUS_UNSPECIFIED;
            if (open && container != null && !container.isAlive()) {
                status = GenericStatus.GENERIC_STATUS_FAILURE;
                return false;
            }
            return open;
        }
    }

    /** Those to come end before they run. */
    void dieAtInit() {
        dieAtInit = true;
    }

    /** Those to come take that many looks to start. */
    void looksUntilStarted(int looks) {
        looksUntilStarted = looks;
    }

    /** The id, or empty when the name is taken. */
    String create(SandboxCreateRequest request) {
        String name = request.getDefinition().getName();
        synchronized (this) {
            if (!name.isEmpty() && !named(name).isEmpty()) {
                return "";
            }
            int number = count.incrementAndGet();
            String id = "sb-" + String.format("%022d", number);
            all.put(id, new One(request, number));
            return id;
        }
    }

    String named(String name) {
        return all.entrySet().stream()
                .filter(e -> e.getValue().lives())
                .filter(e -> e.getValue().request.getDefinition().getName().equals(name))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse("");
    }

    SandboxGetTaskIdResponse task(String id) {
        One one = all.get(id);
        synchronized (one) {
            SandboxGetTaskIdResponse.Builder answer = SandboxGetTaskIdResponse.newBuilder();
            if (dieAtInit) {
                one.status = GenericStatus.GENERIC_STATUS_INIT_FAILURE;
            }
            if (one.looks++ < looksUntilStarted) {
                return answer.build();
            }
            if (!one.lives()) {
                return answer.setTaskResult(result(id)).build();
            }
            if (one.container == null) {
                one.container = started(one.request);
            }
            return answer.setTaskId("ta-" + id).build();
        }
    }

    private static ServedContainer started(SandboxCreateRequest request) {
        try {
            return new ServedContainer(request.getDefinition().getEntrypointArgsList(), DISK_MB);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The live container of a task, or null. */
    ServedContainer container(String taskId) {
        One one = all.get(taskId.replace("ta-", ""));
        if (one == null) {
            return null;
        }
        synchronized (one) {
            return one.lives() ? one.container : null;
        }
    }

    GenericResult result(String id) {
        One one = all.get(id);
        synchronized (one) {
            one.lives();
            GenericResult.Builder result = GenericResult.newBuilder().setStatus(one.status);
            return one.status == GenericStatus.GENERIC_STATUS_INIT_FAILURE
                    ? result.setException("no such program").build()
                    : result.build();
        }
    }

    void end(String id, GenericStatus how) {
        One one = all.get(id);
        synchronized (one) {
            if (one.lives()) {
                one.status = how;
            }
            if (one.container != null) {
                one.container.stop();
            }
        }
    }

    void endAll() {
        all.keySet().forEach(id -> end(id, GenericStatus.GENERIC_STATUS_TERMINATED));
    }

    void tag(String id, List<SandboxTag> tags) {
        all.get(id).tags = tags;
    }

    /** Live ones, the newest first, a few at a time. */
    SandboxListResponse list(SandboxListRequest request) {
        double before =
                request.getBeforeTimestamp() == 0 ? Double.MAX_VALUE : request.getBeforeTimestamp();
        List<SandboxInfo> found = new ArrayList<>();
        all.forEach(
                (id, one) -> {
                    if (one.lives()
                            && one.number < before
                            && one.tags.containsAll(request.getTagsList())) {
                        found.add(
                                SandboxInfo.newBuilder()
                                        .setId(id)
                                        .setCreatedAt(one.number)
                                        .addAllTags(one.tags)
                                        .build());
                    }
                });
        found.sort(Comparator.comparingDouble(SandboxInfo::getCreatedAt).reversed());
        return SandboxListResponse.newBuilder()
                .addAllSandboxes(found.subList(0, Math.min(PAGE, found.size())))
                .build();
    }

    /** Ids of those that live. */
    List<String> live() {
        return all.entrySet().stream()
                .filter(e -> e.getValue().lives())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** What was asked for, in order. */
    List<SandboxCreateRequest> requests() {
        return all.values().stream()
                .sorted(Comparator.comparingInt(one -> one.number))
                .map(one -> one.request)
                .toList();
    }
}
