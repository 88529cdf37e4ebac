package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.millrace.udfs.lag.Fork;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Task;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * What an {@link AdmissionBook} knows beside its catalogue, groups and rounds. Its size does not
 * depend on how many of those there are.
 */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public class AdmissionHead {
    /** The first index of the present pass over the catalogue. */
    long passStart;

    /** Tasks in the present pass. */
    int passSize;

    /** Number of the present pass; -1 before the first. */
    long pass = -1;

    /** The next index to look at; those below have an entry or are settled. */
    long nextIndex;

    /** Training groups under this index have left the book. */
    long settledBelow;

    /** How many of those were trained. */
    long settledTrained;

    /** How many of those were dropped, by cause. */
    TreeMap<String, Long> settledDropped = new TreeMap<>();

    /** Announced epochs. */
    List<Fork> forks = new ArrayList<>();

    /** The newest publication, or null. */
    PolicyRecord newest;

    /**
     * Whether the newest publication said that it is the last. Kept for readers of older states:
     * what counts is how many steps the run is to have now.
     */
    boolean last;

    /** Whether the run ended before its last step, because its groups taught nothing. */
    boolean gaveUp;

    /** The epoch under which the trainer gave the run up; null when it did not. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    Long failedEpoch;

    /** Closed training groups since the last mixed one. */
    long unmixedInARow;

    /** Whether the mark behind the last group was given out. */
    boolean drained;

    /** Sources that have passed that mark. */
    List<String> drainedSources = new ArrayList<>();

    /** Published versions whose accounts were not given out yet, in order. */
    List<PolicyVersion> unaudited = new ArrayList<>();

    /** Tasks of groups whose version is served no more; they are played before the catalogue's. */
    List<Task> again = new ArrayList<>();

    /** Catalogues that said when they begin, in order. */
    List<CatalogueSpan> catalogues = new ArrayList<>();

    /** How far the topic of rows has arrived, by partition. */
    TreeMap<Integer, RowCursor> rowCursors = new TreeMap<>();

    /** Rows that have been queued: the number of the next one. */
    long rowsArrived;

    /** Records of the topic of rows that were no tasks. */
    long rowsRejected;

    /** Closed groups in a row that lost all their attempts to infrastructure. */
    int lostInARow;

    /** How often the run has waited for infrastructure to come back, since it was last there. */
    int pauses;

    /** Nothing begins before then, milliseconds of the clock. */
    long resumesAt;

    /** What a curriculum has heard, null without one. */
    CurriculumHead curriculum;

    AdmissionHead() {}

    /** Whether the trainer gave the run up, and has not come back since. */
    boolean trainerFailed() {
        return failedEpoch != null && failedEpoch >= newestAnnounced();
    }

    long newestAnnounced() {
        return forks.stream().mapToLong(Fork::epoch).max().orElse(0);
    }
}
