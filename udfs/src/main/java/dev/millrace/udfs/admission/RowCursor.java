package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.TreeSet;

/** How far a partition of the topic of rows has arrived. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
final class RowCursor {
    /** Offset behind the last row that arrived. */
    long next;

    /** Rows from there on that were played: the journal is ahead of a restored state. */
    TreeSet<Long> played = new TreeSet<>();
}
