package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.fake.FakeFaults;
import dev.millrace.backends.fake.FakeProvider;
import dev.millrace.backends.fake.FakeRenderer;
import dev.millrace.backends.fake.FakeSampler;
import dev.millrace.backends.fake.FakeTasks;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.SampleRequest;
import dev.millrace.backends.port.SandboxCapabilities.Attach;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.store.TrajectoryCodec;
import dev.millrace.operators.topic.broker.EmbeddedBroker;
import dev.millrace.pipeline.ledger.LedgerTable;
import dev.millrace.pipeline.topology.TrainedData.Attempt;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.ContentRef;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Trajectory;
import dev.millrace.udfs.seed.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.avro.generic.GenericRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A whole run in which one in ten of all operations on sandboxes fails, and of all verdicts: what
 * is learned from is what nothing has touched, by the ledger and by what the trainer was given.
 */
@Timeout(600)
class RandomFaultsRunTest {
    private static final double RATE = 0.1;
    private static final Set<String> TOUCHED = Set.of("INFRA", "VERIFIER");

    @TempDir Path folder;
    private FlakyBackends backends;
    private FaultPlan plan;

    private SandboxProvider fake() {
        return new FakeProvider(Attach.NONE, FakeFaults.NONE);
    }

    private SandboxProvider bubblewrap() {
        BubblewrapProvider provider = new BubblewrapProvider(folder.resolve("scratch"));
        try {
            provider.probe();
        } catch (SandboxException e) {
            System.out.println("skipped: bubblewrap: " + e.getMessage());
            abort("bubblewrap: " + e.getMessage());
        }
        return provider;
    }

    /** Plays a run to its end. */
    private FakeRun played(EmbeddedBroker broker, String name, int tries, int steps)
            throws Exception {
        FakeRun run =
                new FakeRun(
                        broker,
                        folder,
                        name,
                        backends,
                        "rollout.maxTries=" + tries,
                        "rollout.slots=24",
                        "rollout.groupSize=6",
                        "grading.minValidAttempts=2",
                        "train.steps=" + steps);
        run.start(null);
        assertThat(run.end()).isEqualTo("FINISHED");
        return run;
    }

    /**
     * Every operation that is refused costs its attempt: there is one try, and no other sandbox.
     */
    @Test
    void noAttemptThatAFailureTouchedIsTrainedOn() throws Exception {
        plan = new FaultPlan(3, RATE);
        SandboxProvider provider = new FlakyProvider(fake(), plan, false);
        backends = FlakyBackends.on("refused", provider, plan, task -> false, "write ", "");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = played(broker, "refused", 1, 5)) {
            Set<String> struck =
                    plan.struck().stream().map(FaultPlan::attempt).collect(Collectors.toSet());
            List<Attempt> attempts = attempts(run, struck);
            assertThat(masked(run)).as("attempts without a reward").isEqualTo(closed(run, struck));
            assertLearnsFromTheUntouchedAlone(run, attempts, 5);
        }
    }

    /** Failures take the sandbox with them; attempts are rebuilt, played and graded again. */
    @Test
    void whatIsPlayedAgainIsWholeAndNothingElseIsTrainedOn() throws Exception {
        plan = new FaultPlan(5, RATE);
        SandboxProvider provider = new FlakyProvider(fake(), plan, true);
        backends = FlakyBackends.on("lost", provider, plan, task -> false, "write ", "");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = played(broker, "lost", 3, 8)) {
            List<Attempt> attempts = attempts(run, masked(run));
            assertLearnsFromTheUntouchedAlone(run, attempts, 8);
            assertThat(overcome(attempts)).as("attempts that got over a failure").isGreaterThan(20);
            assertThat(masked(run)).as("attempts that did not").isNotEmpty();
        }
    }

    @Test
    void theSameHoldsInRealSandboxes() throws Exception {
        plan = new FaultPlan(7, RATE);
        SandboxProvider provider = new FlakyProvider(bubblewrap(), plan, true);
        backends = FlakyBackends.on("real", provider, plan, task -> false, "printf ", " > answer");
        try (EmbeddedBroker broker = EmbeddedBroker.start(folder.resolve("broker"));
                FakeRun run = played(broker, "real", 3, 3)) {
            List<Attempt> attempts = attempts(run, masked(run));
            assertLearnsFromTheUntouchedAlone(run, attempts, 3);
            assertThat(overcome(attempts)).as("attempts that got over a failure").isPositive();
        }
    }

    private void assertLearnsFromTheUntouchedAlone(FakeRun run, List<Attempt> attempts, int steps)
            throws Exception {
        TrainedData expected = new TrainedData(attempts);
        assertThat(expected.violations(backends.world().trained())).isEmpty();
        assertThat(backends.world().trained()).hasSize(steps * 2);
        for (GenericRecord group : rows(run, LedgerTable.GROUPS)) {
            String id = group.get("group_id").toString();
            assertThat((double) group.get("reward_mean")).as(id).isEqualTo(expected.mean(id));
        }
        assertNothingUntouchedIsDamaged(run, attempts);
        assertThat(plan.failed().keySet()).as("each operation failed").isEqualTo(operations());
        int asked = plan.asked().values().stream().mapToInt(i -> i).sum();
        int failed = plan.failed().values().stream().mapToInt(i -> i).sum();
        assertThat((double) failed / asked).isBetween(RATE / 2, RATE * 2);
    }

    private Set<String> operations() {
        Set<String> all = new HashSet<>(Set.of("create", "remove", "verifier's verdict"));
        for (String operation : List.of("exec", "put", "get")) {
            all.add(operation);
            all.add(operation + ", answer");
        }
        return all;
    }

    /** Whatever happened on the way, what counts is what an undisturbed attempt says. */
    private void assertNothingUntouchedIsDamaged(FakeRun run, List<Attempt> attempts) {
        Map<String, Admission> admissions = admissions(run);
        for (Attempt attempt : attempts) {
            if (!attempt.touched()) {
                Trajectory played = attempt.trajectory();
                Trajectory due = undisturbed(admissions.get(attempt.attemptId()));
                assertThat(played.tokens()).as(attempt.attemptId()).isEqualTo(due.tokens());
                assertThat(played.logprobs()).isEqualTo(due.logprobs());
                assertThat(played.mask()).isEqualTo(due.mask());
            }
        }
    }

    private Trajectory undisturbed(Admission admission) {
        List<int[]> tokens = new ArrayList<>();
        int[] said = {0};
        FakeRenderer renderer = new FakeRenderer();
        tokens.add(renderer.start("task " + admission.task().taskId()));
        float[] logprobs = new float[2];
        for (int turn = 0; turn < 2; turn++) {
            SampleRequest request =
                    new SampleRequest(
                            "turn." + turn,
                            admission.policy(),
                            said,
                            1,
                            1,
                            Seeds.ofTurn(admission.seed(), turn));
            var completion = new FakeSampler(0).sample(request).join();
            said = completion.tokens();
            logprobs[turn] = completion.logprobs()[0];
            tokens.add(said);
            if (turn == 0) {
                ExecResult silent = new ExecResult(0, new byte[0], 0, false, false, 0, "");
                tokens.add(renderer.observe(said, true, renderer.describe(silent), 1));
            }
        }
        return joined(tokens, logprobs);
    }

    private static Trajectory joined(List<int[]> parts, float[] said) {
        int[] tokens = parts.stream().flatMapToInt(IntStream::of).toArray();
        byte[] mask = new byte[tokens.length];
        float[] logprobs = new float[tokens.length];
        int first = parts.get(0).length;
        mask[first] = 1;
        logprobs[first] = said[0];
        mask[tokens.length - 1] = 1;
        logprobs[tokens.length - 1] = said[1];
        return new Trajectory("", "", tokens, mask, logprobs, List.of());
    }

    /** Of groups that were played to their end; the end of the run cancels those that were not. */
    private static List<GenericRecord> rows(FakeRun run, LedgerTable table) throws Exception {
        Set<String> cancelled =
                run.ledger().rows(LedgerTable.GROUPS).stream()
                        .filter(group -> group.get("verdict").toString().equals("CANCELLED"))
                        .map(group -> group.get("group_id").toString())
                        .collect(Collectors.toSet());
        return run.ledger().rows(table).stream()
                .filter(row -> !cancelled.contains(row.get("group_id").toString()))
                .toList();
    }

    /** All attempts of closed groups, by the ledger. */
    private List<Attempt> attempts(FakeRun run, Set<String> touched) throws Exception {
        Map<String, Admission> admissions = admissions(run);
        List<Attempt> attempts = new ArrayList<>();
        for (GenericRecord row : rows(run, LedgerTable.ATTEMPTS)) {
            String id = row.get("attempt_id").toString();
            Object uri = row.get("trajectory_uri");
            Trajectory trajectory = null;
            if (uri != null) {
                ContentRef ref =
                        new ContentRef(
                                uri.toString(),
                                (long) row.get("trajectory_bytes"),
                                row.get("trajectory_sha256").toString());
                trajectory = TrajectoryCodec.decode(backends.world().store().get(ref));
            }
            boolean isTouched = touched.contains(id);
            double reward = isTouched ? 0 : reward(admissions.get(id), trajectory);
            String group = row.get("group_id").toString();
            attempts.add(new Attempt(group, id, isTouched, reward, trajectory));
        }
        return attempts;
    }

    /** By what it said, and no verifier. */
    private static double reward(Admission admission, Trajectory trajectory) {
        int first = 0;
        while (trajectory.mask()[first] == 0) {
            first++;
        }
        return trajectory.tokens()[first] == FakeTasks.answer(admission.task()) ? 1 : 0;
    }

    /** Attempts whose record says that they failed by no fault of the policy. */
    private static Set<String> masked(FakeRun run) throws Exception {
        Set<String> masked = new HashSet<>();
        for (GenericRecord row : rows(run, LedgerTable.ATTEMPTS)) {
            Object failed = row.get("failure_class");
            assertThat(row.get("valid")).isEqualTo(failed == null);
            if (failed != null && TOUCHED.contains(failed.toString())) {
                masked.add(row.get("attempt_id").toString());
            }
        }
        return masked;
    }

    /** Those of attempts that a closed group reports. */
    private static Set<String> closed(FakeRun run, Set<String> attempts) throws Exception {
        return rows(run, LedgerTable.ATTEMPTS).stream()
                .map(row -> row.get("attempt_id").toString())
                .filter(attempts::contains)
                .collect(Collectors.toSet());
    }

    private long overcome(List<Attempt> attempts) {
        Set<String> struck =
                plan.struck().stream().map(FaultPlan::attempt).collect(Collectors.toSet());
        return attempts.stream()
                .filter(attempt -> !attempt.touched() && struck.contains(attempt.attemptId()))
                .count();
    }

    private static Map<String, Admission> admissions(FakeRun run) {
        Map<String, Admission> admissions = new HashMap<>();
        run.read(run.topics().turns(), StepEvent.class).stream()
                .filter(event -> event.admission() != null)
                .forEach(event -> admissions.put(event.itemId(), event.admission()));
        return admissions;
    }
}
