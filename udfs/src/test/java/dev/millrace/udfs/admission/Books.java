package dev.millrace.udfs.admission;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Split;
import java.util.List;

/** Books for tests: groups of 2, batches of 2, 3 steps, lag 1, five tasks and two held-out ones. */
final class Books {
    /** Batches without a mixed group that end the run: ten groups. */
    static final int STARVATION_LIMIT = 5;

    private Books() {}

    static AdmissionSettings settings(int slots, long evalEvery) {
        return new AdmissionSettings(
                Samples.RUN,
                42,
                2,
                2,
                3,
                1,
                STARVATION_LIMIT,
                slots,
                2,
                evalEvery,
                2,
                1,
                Samples.budget(),
                List.of("r0", "r1", "r2"),
                false);
    }

    static AdmissionBook of(int slots, long evalEvery) {
        AdmissionBook book = new AdmissionBook(settings(slots, evalEvery), new AdmissionState());
        for (int i = 0; i < 5; i++) {
            book.task(Samples.task("t" + i, Split.TRAIN));
        }
        book.task(Samples.task("e0", Split.VALIDATION));
        book.task(Samples.task("e1", Split.TEST));
        return book;
    }
}
