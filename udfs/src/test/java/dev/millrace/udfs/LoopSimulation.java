package dev.millrace.udfs;

import dev.millrace.udfs.admission.AdmissionBook;
import dev.millrace.udfs.admission.AdmissionSettings;
import dev.millrace.udfs.admission.BookEntries;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchBook;
import dev.millrace.udfs.minibatch.BatchOutput;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.BatchState;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The books of both regions on topics in memory, with failures where a seed wants them. */
final class LoopSimulation {
    static final int GROUP_SIZE = 2;
    static final int GROUPS_PER_BATCH = 4;
    static final long STEPS = 6;

    final List<StepEvent> turns = new ArrayList<>();
    final List<GroupRecord> groups = new ArrayList<>();
    final List<ProgressRecord> progress = new ArrayList<>();
    final List<PolicyRecord> policies = new ArrayList<>();
    final Random random;
    final Rollouts rollouts = new Rollouts();
    final Learner learner = new Learner();

    private final boolean lockstep;
    private final double rewinds;
    private int rewindsLeft = 40;
    private Cut cut;

    /** Attempts whose ids begin so never end; empty for none. */
    String stuck = "";

    /**
     * @param rewinds how likely it is, at each action, that the whole job is lost and goes on from
     *     an older cut, 40 times at most; ten times as likely once the last step is published
     */
    LoopSimulation(long seed, double rewinds) {
        this(seed, rewinds, false);
    }

    /**
     * @param lockstep whether rewards depend on the group, the attempt and the step that sampled it
     */
    LoopSimulation(long seed, double rewinds, boolean lockstep) {
        this.random = new Random(seed);
        this.rewinds = rewinds;
        this.lockstep = lockstep;
    }

    /** Both regions from one older cut, as when the whole job is lost. */
    private void restoreAll() {
        if (cut != null) {
            rollouts.kept = cut.rollouts;
            learner.state = cut.learner;
        }
        rollouts.restore();
        learner.restore();
    }

    /**
     * Takes a cut through both regions, now and then; the newest may be far behind. Like a
     * savepoint it is nothing that one region alone goes on from: each does so from its last
     * snapshot, which may be older.
     */
    private void cut() {
        cut = new Cut(rollouts.cut(), learner.cut());
        if (random.nextBoolean()) {
            learner.restore();
        }
    }

    private record Cut(RolloutsState rollouts, LearnerState learner) {}

    /** Steps until the run is over; false when it isn't in time. */
    boolean run(int actions, double failures) {
        rollouts.open(new RolloutsState());
        learner.open(new LearnerState());
        for (int i = 0; i < actions && !rollouts.over(); i++) {
            act(failures);
        }
        return rollouts.over();
    }

    private void act(double failures) {
        if (random.nextDouble() < failures) {
            if (random.nextBoolean()) {
                rollouts.restore();
            } else {
                learner.restore();
            }
            return;
        }
        boolean ending = policies.stream().anyMatch(PolicyRecord::last);
        if (rewindsLeft > 0 && random.nextDouble() < (ending ? 10 : 1) * rewinds) {
            rewindsLeft--;
            restoreAll();
            return;
        }
        if (rewinds > 0 && random.nextInt(500) == 0) {
            cut();
        }
        switch (random.nextInt(8)) {
            case 0 -> rollouts.snapshot();
            case 1 -> learner.snapshot();
            case 2, 3 -> rollouts.hear();
            case 4 -> learner.take();
            case 5 -> learner.train();
            default -> rollouts.finishOne();
        }
    }

    /** What a checkpoint holds of region 1. */
    static final class RolloutsState {
        BookEntries book = new BookEntries();
        int[] heard = new int[4];
        Map<String, Admission> open = new TreeMap<>();
        Set<String> finished = new TreeSet<>();
    }

    /** Gate, rollout and window. */
    final class Rollouts {
        private AdmissionBook book;
        private BookEntries entries;
        private RolloutsState kept = new RolloutsState();
        private int[] heard;
        private Map<String, Admission> open;
        private Set<String> finished;
        private int minted;

        void open(RolloutsState state) {
            AdmissionSettings settings =
                    new AdmissionSettings(
                            Samples.RUN,
                            1,
                            GROUP_SIZE,
                            GROUPS_PER_BATCH,
                            STEPS,
                            lockstep ? 0 : 1,
                            0,
                            14,
                            4,
                            2,
                            2,
                            1,
                            Samples.budget(),
                            List.of("r0", "r1"),
                            false);
            entries = state.book.copy();
            book = new AdmissionBook(settings, entries.read());
            for (int i = 0; i < 3; i++) {
                book.task(Samples.task("t" + i, Split.TRAIN));
            }
            book.task(Samples.task("e", Split.TEST));
            heard = state.heard.clone();
            open = new TreeMap<>(state.open);
            finished = new TreeSet<>(state.finished);
            for (StepEvent event : List.copyOf(turns.subList(heard[0], turns.size()))) {
                fold(event);
            }
            while (hearOne()) {
                // Nothing is admitted before all is heard.
            }
            admit();
        }

        void snapshot() {
            kept = cut();
        }

        RolloutsState cut() {
            RolloutsState state = new RolloutsState();
            while (heard[0] < turns.size()) {
                hear(turns.get(heard[0]++));
            }
            entries.write(book.state());
            state.book = entries.copy();
            state.heard = heard.clone();
            state.open = new TreeMap<>(open);
            state.finished = new TreeSet<>(finished);
            return state;
        }

        void restore() {
            open(kept);
        }

        void hear() {
            if (hearOne()) {
                admit();
            }
        }

        /** Reads one record of any topic that has one. */
        private boolean hearOne() {
            int[] ends = {turns.size(), groups.size(), progress.size(), policies.size()};
            int first = random.nextInt(4);
            for (int i = 0; i < 4; i++) {
                int topic = (first + i) % 4;
                if (heard[topic] < ends[topic]) {
                    int at = heard[topic]++;
                    switch (topic) {
                        case 0 -> hear(turns.get(at));
                        case 1 -> book.closed(groups.get(at));
                        case 2 -> book.progress(progress.get(at));
                        default -> book.policy(policies.get(at));
                    }
                    return true;
                }
            }
            return false;
        }

        private void hear(StepEvent event) {
            if (event.kind() == StepEvent.Kind.ADMITTED) {
                book.admitted(event.admission());
            } else {
                book.ended(event);
            }
        }

        private void admit() {
            for (Admission admission : book.admit(() -> "adm-" + minted++ + "-" + turns.size())) {
                String id = admission.attemptId();
                if (!open.containsKey(id) && !finished.contains(id)) {
                    open.put(id, admission);
                    turns.add(event(admission, StepEvent.Kind.ADMITTED));
                }
            }
            if (!book.drained() && book.exhausted()) {
                book.markDrained();
                groups.add(GroupRecord.drained(Samples.RUN, "", book.newestRef()));
            }
        }

        void finishOne() {
            List<String> ids =
                    open.keySet().stream()
                            .filter(id -> stuck.isEmpty() || !id.startsWith(stuck))
                            .toList();
            if (!ids.isEmpty()) {
                StepEvent event =
                        event(
                                open.get(ids.get(random.nextInt(ids.size()))),
                                StepEvent.Kind.CAPTURED);
                turns.add(event);
                fold(event);
            }
        }

        /** What the journal says happened to an attempt. */
        private void fold(StepEvent event) {
            String id = event.itemId();
            if (event.kind() == StepEvent.Kind.ADMITTED) {
                if (!finished.contains(id)) {
                    open.put(id, event.admission());
                }
                return;
            }
            Admission admission = open.remove(id);
            if (admission == null) {
                return;
            }
            finished.add(id);
            long answered =
                    finished.stream().filter(f -> f.startsWith(admission.groupId() + "/a")).count();
            if (answered == admission.groupSize()) {
                close(admission);
            }
        }

        private void close(Admission admission) {
            double[] rewards = new double[admission.groupSize()];
            for (int i = 0; i < rewards.length; i++) {
                rewards[i] = lockstep ? determined(admission, i) : random.nextInt(2);
            }
            groups.add(
                    Samples.closed(
                            admission.lane(),
                            admission.groupId(),
                            admission.groupIndex(),
                            admission.admissionId(),
                            admission.evalRound(),
                            admission.policy(),
                            rewards));
        }

        private int determined(Admission admission, int attempt) {
            long seed = Seeds.ofAttempt(1, admission.groupId(), attempt);
            return new Random(seed + admission.policy().version().step()).nextInt(2);
        }

        boolean over() {
            while (book.drained() && hearOne()) {
                // What region 2 said last.
            }
            return book.passedBy(List.of(BatchBook.SOURCE));
        }

        AdmissionBook book() {
            return book;
        }

        private StepEvent event(Admission admission, StepEvent.Kind kind) {
            boolean admitted = kind == StepEvent.Kind.ADMITTED;
            StepEvent event =
                    StepEvent.of(
                            "rollout",
                            admission.route(),
                            admission.attemptId(),
                            admission.admissionId(),
                            admitted ? StepEvent.ADMIT : "capture",
                            kind,
                            0);
            return admitted ? event.with(admission) : event;
        }
    }

    /** What a checkpoint holds of region 2. */
    static final class LearnerState {
        String book = Json.encode(BatchState.empty());
        int taken;
        long published = -1;
        List<Minibatch> kept = List.of();
    }

    /** Assembler and trainer. */
    final class Learner {
        private BatchBook book;
        private LearnerState state = new LearnerState();
        private int taken;
        private long published;
        private List<Minibatch> kept;
        private int trained;
        private long epoch;
        private double largestMeanLag;

        void open(LearnerState from) {
            BatchSettings settings =
                    new BatchSettings(
                            Samples.RUN,
                            1,
                            GROUPS_PER_BATCH,
                            2,
                            STEPS,
                            lockstep ? 0 : 1,
                            true,
                            false,
                            lockstep);
            BatchState batches = Json.decode(from.book, BatchState.class);
            epoch = 1 + policies.stream().mapToLong(PolicyRecord::epoch).max().orElse(0);
            policies.add(Samples.announced(epoch, batches.epoch(), batches.step()));
            Lineage lineage = new Lineage();
            policies.stream()
                    .filter(p -> p.kind() == PolicyRecord.Kind.ANNOUNCE)
                    .forEach(lineage::add);
            book = new BatchBook(settings, batches, lineage);
            progress.addAll(
                    book.claim(
                            new EpochClaim(
                                    Samples.RUN, epoch, batches.epoch(), batches.step(), "n")));
            taken = from.taken;
            kept = new ArrayList<>(from.kept);
            published = Math.max(0, from.published);
            trained = (int) (2 * published);
            publish();
        }

        void snapshot() {
            state = cut();
        }

        LearnerState cut() {
            LearnerState now = new LearnerState();
            now.book = Json.encode(book.state());
            now.taken = taken;
            now.published = published;
            now.kept = List.copyOf(kept);
            return now;
        }

        void restore() {
            open(state);
        }

        void take() {
            if (taken < groups.size()) {
                for (BatchOutput output : book.hear(groups.get(taken++))) {
                    progress.addAll(output.progress());
                    largestMeanLag = Math.max(largestMeanLag, output.lagMean());
                    if (output.minibatch() != null) {
                        kept.add(output.minibatch());
                    }
                }
            }
        }

        void train() {
            if (trained < kept.size()) {
                Minibatch minibatch = kept.get(trained++);
                if (minibatch.index() + 1 == minibatch.count()) {
                    published = minibatch.step() + 1;
                    publish();
                }
            }
        }

        private void publish() {
            policies.add(Samples.published(epoch, published, published >= STEPS));
        }

        long published() {
            return published;
        }

        /** The largest mean lag of any minibatch. */
        double largestMeanLag() {
            return largestMeanLag;
        }

        /** What the newest weights were made of, whatever epochs did it. */
        List<String> history() {
            return kept.subList(0, trained).stream()
                    .map(m -> m.step() + "/" + m.index() + " " + m.groupIds() + " " + m.items())
                    .toList();
        }

        /** Groups of all minibatches behind the newest weights, in order. */
        List<String> trainedGroups() {
            return kept.subList(0, trained).stream().flatMap(m -> m.groupIds().stream()).toList();
        }
    }

    /** Ids of the groups that closed first as mixed. */
    Set<String> firstMixed() {
        Set<String> seen = new HashSet<>();
        Set<String> mixed = new HashSet<>();
        for (GroupRecord group : groups) {
            if (seen.add(group.groupId()) && group.verdict().name().equals("MIXED")) {
                mixed.add(group.groupId());
            }
        }
        return mixed;
    }
}
