package dev.millrace.udfs.admission;

import com.fasterxml.jackson.annotation.JsonAutoDetect;
import com.fasterxml.jackson.annotation.JsonAutoDetect.Visibility;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/** A group as the gate keeps it. */
@JsonAutoDetect(
        fieldVisibility = Visibility.ANY,
        getterVisibility = Visibility.NONE,
        isGetterVisibility = Visibility.NONE)
public final class GroupEntry {
    Lane lane = Lane.TRAIN;
    String groupId = "";
    long index;
    String admissionId = "";
    Task task;
    PolicyRef policy;
    double temperature;
    String evalRound = "";

    /** One for each attempt; empty when only the group's closure is known. */
    List<AttemptSlot> attempts = new ArrayList<>();

    /** Whether its attempts are still to be given out. */
    boolean emit;

    boolean closed;

    /** Of a closed group. */
    Verdict verdict;

    /** Of a closed group that is not mixed. */
    String cause = "";

    /** Admission that was closed. */
    String answeredAdmission = "";

    /** Attempts whose answers are in the closed group. */
    TreeSet<Integer> answered = new TreeSet<>();

    /** Whether it is closed and no attempt will hold a slot again. */
    boolean released;

    /** What region 2 said of it under the newest epoch that said anything, or null. */
    ProgressRecord report;

    /** What it said under older epochs: the newest may go on from one of them. */
    List<ProgressRecord> earlierReports = new ArrayList<>();

    GroupEntry() {}

    static GroupEntry known(Lane lane, String groupId, long index) {
        GroupEntry entry = new GroupEntry();
        entry.lane = lane;
        entry.groupId = groupId;
        entry.index = index;
        return entry;
    }

    /** An entry whose attempts are still to be given out. */
    static GroupEntry admitted(
            Lane lane, String groupId, long index, String admissionId, int size) {
        GroupEntry entry = known(lane, groupId, index);
        entry.admissionId = admissionId;
        entry.emit = true;
        entry.room(size);
        return entry;
    }

    /** What an admission in the journal says of its group. */
    void adopt(Admission admission) {
        admissionId = admission.admissionId();
        task = admission.task();
        policy = admission.policy();
        temperature = admission.temperature();
        evalRound = admission.evalRound();
        room(admission.groupSize());
        emit = !closed;
    }

    void room(int size) {
        while (attempts.size() < size) {
            attempts.add(new AttemptSlot());
        }
    }

    void close(GroupRecord group) {
        closed = true;
        emit = false;
        verdict = group.verdict();
        cause = group.cause();
        task = null;
    }

    /** Takes what region 2 says of it; of an epoch the last word counts. */
    void report(ProgressRecord said) {
        if (report == null || said.epoch() == report.epoch()) {
            report = said;
            return;
        }
        if (said.epoch() > report.epoch()) {
            earlierReports.add(report);
            report = said;
            return;
        }
        earlierReports.removeIf(earlier -> earlier.epoch() == said.epoch());
        earlierReports.add(said);
    }

    /** What region 2 said of it in the history of the newest epoch. */
    Optional<ProgressRecord> report(Lineage lineage) {
        return Stream.concat(Stream.ofNullable(report), earlierReports.stream())
                .filter(lineage::counts)
                .max(Comparator.comparingLong(ProgressRecord::epoch));
    }

    /** Forgets attempts that can't hold a slot any more. */
    void release() {
        boolean over = closed && !attempts.isEmpty() && attempts.stream().allMatch(a -> a.ended);
        if (over) {
            released = true;
            attempts.clear();
            answered.clear();
        }
    }

    int openSlots() {
        return (int) attempts.stream().filter(attempt -> attempt.open).count();
    }
}
