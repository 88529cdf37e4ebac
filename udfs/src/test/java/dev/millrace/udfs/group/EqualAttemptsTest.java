package dev.millrace.udfs.group;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.udfs.Samples;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Spoken;
import dev.millrace.udfs.seed.Seeds;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Groups of four attempts whose tokens are drawn by the seed of each. */
class EqualAttemptsTest {
    private static final int WORDS = 16;

    /** An attempt of some tokens, all words being equally likely. */
    private static FinishedAttempt attempt(int index, long seed, int tokens, double temperature) {
        SplittableRandom random = new SplittableRandom(Seeds.ofTurn(seed, 0));
        int[] said = random.ints(tokens, 0, WORDS).toArray();
        Admission admission =
                new Admission(
                        Samples.RUN,
                        Lane.TRAIN,
                        "run/g5",
                        5,
                        "adm",
                        4,
                        index,
                        "r0",
                        Samples.task("t", Split.TRAIN),
                        Samples.policy(1, 0),
                        temperature,
                        seed,
                        "",
                        Samples.budget());
        return new FinishedAttempt(
                admission,
                Outcome.SUBMITTED,
                null,
                null,
                null,
                1,
                tokens,
                tokens + 3,
                admission.policy().version(),
                1,
                1,
                new Spoken(Arrays.toString(said), -tokens * Math.log(WORDS)));
    }

    private static List<FinishedAttempt> group(long[] seeds, int tokens, double temperature) {
        return IntStream.range(0, seeds.length)
                .mapToObj(i -> attempt(i, seeds[i], tokens, temperature))
                .toList();
    }

    @Test
    void attemptsWithSeedsOfTheirOwnSayDifferentThings() {
        long[] seeds = IntStream.range(0, 4).mapToLong(i -> Seeds.ofAttempt(1, "g5", i)).toArray();
        List<FinishedAttempt> group = group(seeds, 20, 1);
        assertThat(group.stream().map(a -> a.spoken().sha256()).distinct()).hasSize(4);
        assertThat(EqualAttempts.in(group)).isEmpty();
    }

    @Test
    void attemptsThatShareASeedAreNamedWithTheirGroup() {
        Optional<Reject> found = EqualAttempts.in(group(new long[] {7, 7, 7, 7}, 20, 1));
        assertThat(found.map(Reject::key)).contains("run/g5");
        assertThat(found.orElseThrow().reason()).isEqualTo(Reject.EQUAL_ATTEMPTS);
        assertThat(found.orElseThrow().detail()).contains("[0, 1, 2, 3]").contains("20 tokens");
    }

    @Test
    void twoOfManyAreFoundToo() {
        assertThat(EqualAttempts.in(group(new long[] {1, 7, 3, 7}, 20, 1)).orElseThrow().detail())
                .contains("[1, 3]");
    }

    @Test
    void whatMayBeChanceIsNoAlarm() {
        assertThat(EqualAttempts.in(group(new long[] {7, 7, 7, 7}, 1, 1)))
                .as("one token that each says with a chance of one in sixteen")
                .isEmpty();
        assertThat(EqualAttempts.in(group(new long[] {7, 7, 7, 7}, 20, 0)))
                .as("greedy attempts are equal")
                .isEmpty();
    }
}
