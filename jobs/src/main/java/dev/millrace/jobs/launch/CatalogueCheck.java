package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Whether a resumed run has the tasks that it plays. Ids, splits, their order and the rows' digests
 * count; where the tasks lie does not.
 */
final class CatalogueCheck {
    private static final int NAMED = 3;

    private CatalogueCheck() {}

    /** How tasks, and the rows that they come from, differ from those of the run; empty if not. */
    static Optional<String> difference(
            WrittenCatalogue written, TaskCatalogue now, CatalogueDigests digests) {
        if (!written.complete()) {
            return Optional.of("those that were to take their place were not all written");
        }
        Optional<String> tasks = difference(written.tasks(), now.tasks());
        if (tasks.isPresent() || written.start() == null) {
            return tasks;
        }
        return digest("training rows", written.start().train(), digests.train())
                .or(() -> digest("held-out rows", written.start().heldOut(), digests.heldOut()));
    }

    /** How the tasks that a run was begun with differ from others; empty if they do not. */
    static Optional<String> difference(List<Task> begun, List<Task> resumed) {
        Map<String, Split> before = identity(begun);
        Map<String, Split> now = identity(resumed);
        if (List.copyOf(before.entrySet()).equals(List.copyOf(now.entrySet()))) {
            return Optional.empty();
        }
        List<String> gone = difference(before, now);
        List<String> added = difference(now, before);
        return Optional.of(
                gone.isEmpty() && added.isEmpty()
                        ? "they come in another order"
                        : "missing " + named(gone) + ", new " + named(added));
    }

    /**
     * Refuses held-out tasks that a run did not begin with: what is measured on others can't be
     * compared.
     */
    static void sameHeldOut(WrittenCatalogue written, TaskCatalogue now, CatalogueDigests digests) {
        difference(heldOut(written.tasks()), heldOut(now.tasks()))
                .or(
                        () ->
                                written.start() == null
                                        ? Optional.empty()
                                        : digest(
                                                "held-out rows",
                                                written.start().heldOut(),
                                                digests.heldOut()))
                .ifPresent(
                        what -> {
                            throw new BadInputException(
                                    "--restart-tasks takes other tasks to train on, but the ones"
                                            + " that measure stay for the life of a run: "
                                            + what);
                        });
    }

    private static Optional<String> digest(String what, String before, String now) {
        return before.equals(now)
                ? Optional.empty()
                : Optional.of(what + " had the digest " + before + " and have " + now);
    }

    private static List<Task> heldOut(List<Task> tasks) {
        return tasks.stream().filter(task -> task.split() != Split.TRAIN).toList();
    }

    private static Map<String, Split> identity(List<Task> tasks) {
        Map<String, Split> identity = new LinkedHashMap<>();
        tasks.forEach(task -> identity.putIfAbsent(task.taskId(), task.split()));
        return identity;
    }

    private static List<String> difference(Map<String, Split> of, Map<String, Split> without) {
        List<String> ids = new ArrayList<>();
        of.forEach(
                (id, split) -> {
                    if (without.get(id) != split) {
                        ids.add(id);
                    }
                });
        return ids;
    }

    private static String named(List<String> ids) {
        if (ids.isEmpty()) {
            return "none";
        }
        String first = String.join(", ", ids.subList(0, Math.min(NAMED, ids.size())));
        return ids.size() <= NAMED ? first : first + " and " + (ids.size() - NAMED) + " more";
    }
}
