package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import java.util.ArrayList;
import java.util.List;

/** What a {@link Curriculum} knows beside the rates of tasks. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
final class CurriculumHead {
    /** Index of the first group behind those that were given out when the curriculum began. */
    long since;

    /** Closed groups since then that the rates hold. */
    long counted;

    /** Closed groups behind those, in the order of their topic. */
    List<ClosedTry> waiting = new ArrayList<>();

    CurriculumHead() {}

    static CurriculumHead since(long index) {
        CurriculumHead head = new CurriculumHead();
        head.since = index;
        return head;
    }
}
