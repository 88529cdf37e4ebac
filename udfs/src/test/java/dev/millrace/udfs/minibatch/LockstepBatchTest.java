package dev.millrace.udfs.minibatch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Minibatch;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Batches by group index: what arrives when must not matter. */
class LockstepBatchTest {
    private static final BatchSettings SETTINGS =
            new BatchSettings(Samples.RUN, 7, 4, 2, 3, 0, true, true, true);

    private static BatchBook opened(BatchState state, Lineage lineage, long epoch) {
        lineage.add(Samples.announced(epoch, state.epoch(), state.step()));
        BatchBook book = new BatchBook(SETTINGS, state, lineage);
        book.claim(new EpochClaim(Samples.RUN, epoch, state.epoch(), state.step(), "n"));
        return book;
    }

    /** Three steps of four mixed groups, with constant ones between them, as the gate admits. */
    private static List<GroupRecord> run() {
        List<GroupRecord> groups = new ArrayList<>();
        long index = 0;
        for (long step = 0; step < 3; step++) {
            PolicyRef policy = Samples.policy(1, step);
            for (int mixed = 0; mixed < 4; mixed++) {
                if ((index + step) % 3 == 0) {
                    groups.add(Samples.group(index++, policy, 1, 1));
                }
                groups.add(Samples.group(index++, policy, 1, 0));
            }
        }
        return groups;
    }

    /** What of a minibatch the trainer's weights depend on. */
    private static String content(Minibatch minibatch) {
        List<String> items = new ArrayList<>();
        for (MinibatchItem item : minibatch.items()) {
            items.add(item.attemptId() + " " + item.advantage());
        }
        return minibatch.step() + "/" + minibatch.index() + " " + items;
    }

    private static void note(List<String> said, List<BatchOutput> outputs) {
        for (BatchOutput output : outputs) {
            if (output.minibatch() != null) {
                said.add(content(output.minibatch()));
            }
        }
    }

    private static List<String> inOrder() {
        BatchBook book = opened(BatchState.empty(), new Lineage(), 1);
        List<String> batches = new ArrayList<>();
        run().forEach(group -> note(batches, book.hear(group)));
        return batches;
    }

    @Property(tries = 300)
    void anyOrderAndAnyRepetitionGiveTheSameBatches(
            @ForAll long seed, @ForAll @IntRange(max = 20) int repetitions) {
        Random random = new Random(seed);
        List<GroupRecord> arriving = new ArrayList<>(run());
        for (int i = 0; i < repetitions; i++) {
            arriving.add(arriving.get(random.nextInt(arriving.size())));
        }
        Collections.shuffle(arriving, random);
        BatchBook book = opened(BatchState.empty(), new Lineage(), 1);
        List<String> batches = new ArrayList<>();
        arriving.forEach(group -> note(batches, book.hear(group)));
        assertThat(batches).isEqualTo(inOrder());
    }

    @Property(tries = 200)
    void restoringAnyStateAtAnyMomentGivesTheSameBatches(
            @ForAll long seed, @ForAll @IntRange(min = 1, max = 8) int failures) {
        Random random = new Random(seed);
        List<GroupRecord> topic = new ArrayList<>(run());
        Collections.shuffle(topic, random);
        Lineage lineage = new Lineage();
        BatchBook book = opened(BatchState.empty(), lineage, 1);
        long epoch = 1;
        BatchState kept = BatchState.empty();
        int keptRead = 0;
        List<String> keptBatches = List.of();
        List<String> batches = new ArrayList<>();
        Set<Integer> failAt = new HashSet<>();
        random.ints(failures, 0, topic.size()).forEach(failAt::add);
        int read = 0;
        while (read < topic.size()) {
            if (random.nextInt(3) == 0) {
                kept = book.state();
                keptRead = read;
                keptBatches = List.copyOf(batches);
            }
            note(batches, book.hear(topic.get(read++)));
            if (failAt.remove(read)) {
                book = opened(kept, lineage, ++epoch);
                read = keptRead;
                batches = new ArrayList<>(keptBatches);
            }
        }
        assertThat(batches).isEqualTo(inOrder());
    }

    @Test
    void aGroupWaitsForTheGroupsBeforeItEvenIfTheyTeachNothing() {
        BatchBook book = opened(BatchState.empty(), new Lineage(), 1);
        PolicyRef v0 = Samples.policy(1, 0);
        assertThat(book.hear(Samples.group(2, v0, 1, 0))).isEmpty();
        assertThat(book.hear(Samples.group(1, v0, 1, 1))).isEmpty();
        List<BatchOutput> all = book.hear(Samples.group(0, v0, 1, 0));
        assertThat(all).hasSize(3);
        assertThat(all.get(2).minibatch().groupIds()).containsExactly("run/g0", "run/g2");
    }

    @Test
    void theSameStepOfAnotherEpochIsTheSameWeights() {
        Lineage lineage = new Lineage();
        BatchBook book = opened(BatchState.empty(), lineage, 1);
        for (int i = 0; i < 4; i++) {
            book.hear(Samples.group(i, Samples.policy(1, 0), 1, 0));
        }
        BatchBook later = opened(book.state(), lineage, 2);
        List<BatchOutput> outputs = later.hear(Samples.group(4, Samples.policy(1, 1), 1, 0));
        assertThat(outputs.get(0).progress())
                .extracting(ProgressRecord::kind)
                .containsExactly(ProgressRecord.Kind.TAKEN);
    }

    @Test
    void aGroupOfAnotherStepIsRefusedByName() {
        BatchBook book = opened(BatchState.empty(), new Lineage(), 1);
        assertThatThrownBy(() -> book.hear(Samples.group(0, Samples.policy(1, 1), 1, 0)))
                .hasMessageContaining("Lockstep is broken: group run/g0");
    }

    @Test
    void evaluationAndOtherRunsTakeNoTurn() {
        BatchBook book = opened(BatchState.empty(), new Lineage(), 1);
        PolicyRef v0 = Samples.policy(1, 0);
        GroupRecord eval = Samples.closed(Lane.EVAL, "run/eval-0/0", 0, "adm", "eval-0", v0, 1, 0);
        assertThat(book.hear(eval)).isEmpty();
        assertThat(book.hear(Samples.group(0, v0, 1, 0))).hasSize(1);
    }

    @Test
    void whatStillWaitsAtTheEndIsSurplusAndTheMarkIsAnsweredAgainAfterARestore() {
        Lineage lineage = new Lineage();
        BatchBook book = opened(BatchState.empty(), lineage, 1);
        book.hear(Samples.group(1, Samples.policy(1, 0), 1, 0));
        List<String> said = new ArrayList<>();
        book.hear(GroupRecord.drained(Samples.RUN, ""))
                .forEach(o -> o.progress().forEach(p -> said.add(p.kind() + " " + p.cause())));
        assertThat(said).containsExactly("TAKEN ", "DROPPED surplus", "DRAINED ");
        BatchState state = book.state();
        lineage.add(Samples.announced(2, 1, state.step()));
        List<ProgressRecord> again =
                new BatchBook(SETTINGS, state, lineage)
                        .claim(new EpochClaim(Samples.RUN, 2, 1, state.step(), "n"));
        assertThat(again)
                .extracting(p -> p.kind() + " e" + p.epoch())
                .containsExactly("DROPPED e2", "DRAINED e2");
    }

    @Test
    void lagIsZeroInLockstep() {
        assertThatThrownBy(() -> new BatchSettings(Samples.RUN, 7, 4, 2, 2, 1, true, false, true))
                .hasMessageContaining("maxLag must be 0 in lockstep");
    }
}
