package dev.millrace.jobs.launch;

import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.pipeline.settings.TaskSettings;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Gives a run its tasks: at its first start those of the recipe, later the same, or others that
 * were asked for in so many words.
 */
final class CatalogueSettlement {
    private final TaskSettings settings;
    private final TaskCatalogue catalogue;
    private final CatalogueDigests digests;

    CatalogueSettlement(TaskSettings settings, TaskCatalogue catalogue) throws IOException {
        this.settings = settings;
        this.catalogue = catalogue;
        this.digests = CatalogueDigests.of(settings, catalogue);
    }

    /** Writes the catalogue of a run that starts for the first time. */
    void begin(RunPlace run) {
        CatalogueWriter.write(run, 0, 0, catalogue, digests);
    }

    /**
     * Compares the tasks with those that a resumed run plays.
     *
     * @param restart whether other tasks take the place of those, from the beginning of their order
     * @throws BadInputException when they differ and were not to; names them
     */
    void resume(RunPlace run, boolean restart, Consumer<String> progress) {
        WrittenCatalogue written = WrittenCatalogue.read(run);
        if (written.missing()) {
            begin(run);
            return;
        }
        Optional<String> difference = CatalogueCheck.difference(written, catalogue, digests);
        if (difference.isEmpty()) {
            return;
        }
        if (!restart) {
            throw new BadInputException(
                    "The run plays "
                            + written.tasks().size()
                            + " tasks and can't go on with these "
                            + catalogue.tasks().size()
                            + ": "
                            + difference.get()
                            + ". Bring the tasks back; or say --restart-tasks to train on these"
                            + " from now on, from the beginning of their order; or start a new run"
                            + " with another --output");
        }
        refuseGenerated();
        CatalogueCheck.sameHeldOut(written, catalogue, digests);
        long from = WrittenCatalogue.firstUnplayed(run);
        CatalogueWriter.write(run, written.nextNumber(), from, catalogue, digests);
        progress.accept("other tasks from group g" + from + " on: " + difference.get());
    }

    private void refuseGenerated() {
        if (settings.source() == TaskSettings.Source.GENERATED && settings.subset().isEmpty()) {
            throw new BadInputException(
                    "--restart-tasks: generated tasks are drawn once, at the first start; choose"
                            + " among them with tasks.subset");
        }
    }
}
