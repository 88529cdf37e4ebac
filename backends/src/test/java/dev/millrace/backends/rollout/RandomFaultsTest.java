package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.effect.EffectLimits;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.fake.FaultyVerifier;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxSpec;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.udfs.advantage.GroupAdvantages;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.group.GroupVerdict;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.MinibatchPreparation;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.FailureClass;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** One in ten of all things that sandboxes are asked for fails, and learning must not notice. */
@Timeout(180)
final class RandomFaultsTest {
    private static final int GROUPS = 40;
    private static final int SIZE = 6;
    private static final double RATE = 0.1;
    private static final EffectLimits LIMITS =
            new EffectLimits(
                    60_000, 60_000, 60_000, 60_000, 60_000, 60_000, 10, 60_000, 1, 600_000, 0,
                    9_999, 9_999, 60_000);
    private static final BatchSettings BATCH =
            new BatchSettings("run-1", 1, 1, 1, 1, 1, true, false, false);

    private final FakeStore store = new FakeStore();
    private final Random random = new Random(4);
    private final Set<String> touched = new HashSet<>();
    private final Map<FailureClass, Integer> masked = new HashMap<>();
    private final List<AutoCloseable> open = new ArrayList<>();
    private Kind inCommands = Kind.QUOTA;

    @AfterEach
    void close() throws Exception {
        for (AutoCloseable each : open) {
            each.close();
        }
    }

    /** Fails at random, and writes down whose sandbox it was. */
    private final class RandomFaults implements FakeFaults {
        private void perhaps(String lease, Kind kind) throws SandboxException {
            if (fails()) {
                touch(lease);
                throw new SandboxException(kind, "at random");
            }
        }

        @Override
        public void create(SandboxSpec spec) throws SandboxException {
            perhaps(spec.leaseName(), Kind.CREATE_FAILED);
        }

        @Override
        public void exec(String lease, ExecRequest request) throws SandboxException {
            perhaps(lease, inCommands);
        }

        @Override
        public void answer(String lease, ExecRequest request) throws SandboxException {
            perhaps(lease, inCommands);
        }

        @Override
        public void terminate(String lease) throws SandboxException {
            if (fails()) {
                throw new SandboxException(Kind.UNREACHABLE, "at random, when all is done");
            }
        }
    }

    private synchronized boolean fails() {
        return random.nextDouble() < RATE;
    }

    private synchronized void touch(String lease) {
        touched.add(lease.substring(0, lease.indexOf("/adm")));
    }

    /** Attempts whose try writes that digit are right or wrong, by their task. */
    private Runners runners(FakeFaults faults, boolean silentVerifier) {
        FakeProvider provider = new FakeProvider(Attach.NONE, faults);
        FakeTasks tasks = new FakeTasks(provider);
        List<RolloutRunner> rollouts = new ArrayList<>();
        for (String answer : List.of("0", "1")) {
            Script script = new Script("look", "write " + answer, "look again");
            rollouts.add(
                    new RolloutRunner(
                            new RolloutPorts(tasks, script, script, store, Observations.own()),
                            new RunnerSettings(4, "rollout/" + answer, 1, LIMITS)));
        }
        FaultyVerifier verifier =
                new FaultyVerifier(
                        tasks,
                        lease -> {
                            boolean silent = silentVerifier && fails();
                            if (silent) {
                                touch(lease.name());
                            }
                            return silent;
                        });
        GradingRunner grading =
                new GradingRunner(
                        verifier, store, new RunnerSettings(4, "grading/0", 1, LIMITS), 0);
        open.addAll(rollouts);
        open.add(grading);
        return new Runners(rollouts, grading);
    }

    private record Runners(List<RolloutRunner> rollouts, GradingRunner grading) {
        GradedAttempt play(Admission admission) {
            RolloutRunner runner = rollouts.get(answer(admission));
            FinishedAttempt finished =
                    new Played<>(new RolloutMachine(), admission).toTheEnd(runner);
            return new Played<>(new GradingMachine(), finished).toTheEnd(grading);
        }
    }

    private static int answer(Admission admission) {
        return (int) (admission.groupIndex() * 7 + admission.attemptIndex() * 5L) / 3 % 2;
    }

    private static double reward(Admission admission) {
        return answer(admission) == FakeTasks.answer(admission.task()) ? 1 : 0;
    }

    private static Admission admission(int group, int attempt, int maxTries) {
        String task = "fake:" + group;
        return new Admission(
                "run-1",
                Lane.TRAIN,
                "run-1/g" + group,
                group,
                "adm-1",
                SIZE,
                attempt,
                "r0",
                new Task(task, task, Split.TRAIN, ""),
                new PolicyRef(new PolicyVersion(1, 0), ""),
                1.0,
                42 + attempt,
                "",
                new AttemptBudget(8, 8, 2_000, 2, 60_000, 600_000, maxTries));
    }

    private GroupRecord group(int group, List<GradedAttempt> attempts) {
        List<AttemptSummary> summaries = attempts.stream().map(AttemptSummary::of).toList();
        GroupVerdict verdict = GroupVerdict.of(summaries, SIZE, 2);
        Admission first = attempts.get(0).attempt().admission();
        return new GroupRecord(
                "run-1",
                false,
                Lane.TRAIN,
                first.groupId(),
                group,
                first.admissionId(),
                first.task(),
                first.policy(),
                "",
                false,
                verdict.verdict(),
                verdict.cause(),
                verdict.rewardMean(),
                summaries);
    }

    private static List<MinibatchItem> trained(GroupRecord group) {
        return MinibatchPreparation.minibatch(BATCH, 1, 1, 0, List.of(group)).items();
    }

    @Test
    void noAttemptThatAFailureTouchedIsTrainedOnAndStatisticsAreThoseOfTheOthersAlone() {
        Runners runners = runners(new RandomFaults(), true);
        int mixed = 0;
        for (int index = 0; index < GROUPS; index++) {
            List<GradedAttempt> played = new ArrayList<>();
            for (int attempt = 0; attempt < SIZE; attempt++) {
                played.add(runners.play(admission(index, attempt, 1)));
            }
            GroupRecord group = group(index, played);
            played.forEach(this::count);
            List<Admission> untouched =
                    played.stream()
                            .map(graded -> graded.attempt().admission())
                            .filter(admission -> !touched.contains(admission.attemptId()))
                            .toList();
            double[] rewards = untouched.stream().mapToDouble(RandomFaultsTest::reward).toArray();
            assertThat(group.rewardMean()).isEqualTo(GroupAdvantages.mean(rewards));
            double[] advantages = GroupAdvantages.of(rewards, true);
            List<MinibatchItem> items = trained(group);
            assertThat(items)
                    .extracting(MinibatchItem::attemptId)
                    .isEqualTo(untouched.stream().map(Admission::attemptId).toList());
            assertThat(items.stream().mapToDouble(MinibatchItem::advantage).toArray())
                    .isEqualTo(advantages);
            mixed += group.verdict() == Verdict.MIXED ? 1 : 0;
        }
        assertThat(mixed).as("groups that teach something").isGreaterThan(GROUPS / 4);
        int failed = masked.values().stream().mapToInt(Integer::intValue).sum();
        assertThat(failed)
                .as("each touched attempt is masked, by its class")
                .isEqualTo(touched.size());
        assertThat(masked).containsOnlyKeys(FailureClass.INFRA, FailureClass.VERIFIER);
        assertThat(touched.size()).isBetween(GROUPS * SIZE / 4, GROUPS * SIZE * 9 / 10);
    }

    private void count(GradedAttempt graded) {
        if (!graded.valid()) {
            masked.merge(graded.failure().failureClass(), 1, Integer::sum);
        }
    }

    @Test
    void anAttemptThatIsTriedAgainTeachesExactlyWhatItWouldHaveWithoutFailures() throws Exception {
        inCommands = Kind.DIED;
        Runners faulty = runners(new RandomFaults(), false);
        Runners calm = runners(FakeFaults.NONE, false);
        int recovered = 0;
        for (int index = 0; index < GROUPS / 2; index++) {
            for (int attempt = 0; attempt < SIZE; attempt++) {
                Admission admission = admission(index, attempt, 8);
                GradedAttempt graded = faulty.play(admission);
                if (!graded.valid()) {
                    assertThat(touched).contains(admission.attemptId());
                    continue;
                }
                GradedAttempt undisturbed = calm.play(admission);
                assertThat(graded.reward()).isEqualTo(reward(admission));
                assertThat(turns(graded)).isEqualTo(turns(undisturbed));
                recovered += touched.contains(admission.attemptId()) ? 1 : 0;
            }
        }
        assertThat(recovered).as("attempts that failures touched").isGreaterThan(GROUPS);
    }

    private List<String> turns(GradedAttempt graded) throws Exception {
        return TrajectoryCodec.decode(store.get(graded.attempt().trajectory())).turns().stream()
                .map(turn -> turn.command() + " " + turn.exitCode() + " " + turn.timedOut())
                .toList();
    }
}
