package dev.millrace.backends.exampletasks;

import dev.millrace.udfs.model.Split;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Draws a data set of example tasks. The same seed and counts give the same tasks.
 *
 * <p>No repository occurs twice, and no command that repairs a held-out task repairs a task of
 * another split.
 */
public final class ExampleTasks {
    private static final List<String> INSTRUCTIONS =
            List.of(
                    "The tests of this repository fail. Find the defect and repair it.",
                    "Repair the code so that the hidden tests pass.",
                    "Some hidden tests do not pass. Fix the program.");

    /** Draws after which a split counts as impossible to fill. */
    private static final int MAX_DRAWS_PER_TASK = 10_000;

    private final SplittableRandom random;
    private final Set<String> repositories = new HashSet<>();
    private final Set<String> heldOutRepairs = new HashSet<>();
    private final List<ExampleTask> tasks = new ArrayList<>();

    private ExampleTasks(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Draws tasks, training tasks first; families alternate within a split.
     *
     * @throws IllegalArgumentException when there are not that many different tasks
     */
    public static List<ExampleTask> generate(long seed, Counts counts) {
        ExampleTasks draws = new ExampleTasks(seed);
        draws.fill(Split.TEST, counts.test());
        draws.fill(Split.VALIDATION, counts.validation());
        draws.fill(Split.TRAIN, counts.train());
        List<ExampleTask> inOrder = new ArrayList<>(draws.tasks);
        inOrder.sort(
                (a, b) ->
                        a.split() != b.split()
                                ? a.split().compareTo(b.split())
                                : a.id().compareTo(b.id()));
        return List.copyOf(inOrder);
    }

    /**
     * Writes Harbor folders {@code <root>/<split>/<id>}.
     *
     * @throws IOException when a file can't be written
     */
    public static void write(List<ExampleTask> tasks, Path root) throws IOException {
        for (ExampleTask task : tasks) {
            writeFolder(task, root.resolve(label(task.split())).resolve(task.id()));
        }
    }

    /** Writes one Harbor folder. */
    static void writeFolder(ExampleTask task, Path folder) throws IOException {
        for (Map.Entry<String, String> file : task.files().entrySet()) {
            Path path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
            if (file.getKey().endsWith(".sh") && !path.toFile().setExecutable(true, false)) {
                throw new IOException("Could not make " + path + " executable.");
            }
        }
    }

    private void fill(Split split, int count) {
        Family[] families = Family.values();
        Set<String> ownRepairs = new HashSet<>();
        for (int i = 0; i < count; i++) {
            Family family = families[i % families.length];
            Draft draft = drawNew(family, split, ownRepairs);
            String id = "%s-%04d-%s".formatted(label(split), i, family.label());
            String instruction = Words.pick(INSTRUCTIONS, random);
            tasks.add(
                    new ExampleTask(
                            id,
                            split,
                            family.label(),
                            instruction,
                            draft.repository(),
                            draft.repair(),
                            draft.check()));
        }
        if (split != Split.TRAIN) {
            heldOutRepairs.addAll(ownRepairs);
        }
    }

    private Draft drawNew(Family family, Split split, Set<String> ownRepairs) {
        for (int i = 0; i < MAX_DRAWS_PER_TASK; i++) {
            Draft draft = family.draw(random);
            boolean repairIsFree =
                    !heldOutRepairs.contains(draft.repair())
                            && (split == Split.TRAIN || !ownRepairs.contains(draft.repair()));
            if (repairIsFree && repositories.add(draft.repository().toString())) {
                ownRepairs.add(draft.repair());
                return draft;
            }
        }
        throw new IllegalArgumentException(
                "There are not enough different tasks of family "
                        + family.label()
                        + " for split "
                        + label(split)
                        + "; ask for fewer.");
    }

    private static String label(Split split) {
        return split.name().toLowerCase(Locale.ROOT);
    }
}
