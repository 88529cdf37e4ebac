package dev.millrace.backends.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.bubblewrap.BubblewrapProvider;
import dev.millrace.backends.fake.FakeStore;
import dev.millrace.backends.grading.GradingRunner;
import dev.millrace.backends.harbor.HarborEnvironment;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.repair.RepairGrader;
import dev.millrace.udfs.grading.GradingMachine;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.rollout.RolloutMachine;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Attempts at a task of two steps, in sandboxes, with the stage closed and opened in between. */
@Timeout(120)
class TaskStepsTest {
    private static final String[] SOLVED = {"echo 1 > one", Script.SUBMIT, "echo 2 > two"};
    private static final String SETUP = "echo s >> setups\n";

    @TempDir Path folder;
    @TempDir Path scratch;
    private final FakeStore store = new FakeStore();
    private BubblewrapProvider provider;

    @BeforeEach
    void open() throws IOException {
        provider = new BubblewrapProvider(scratch);
        task("");
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void oneConversationGoesOnThroughAllInstructions() {
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner runner = runner(true, SOLVED);
        FinishedAttempt finished = attempt.toTheEnd(runner);
        runner.close();
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        assertThat(finished.turns()).isEqualTo(4);
        StepEvent advanced = attempt.events.get(4);
        assertThat(advanced.effectId()).isEqualTo("advance#1.1");
        assertThat(advanced.executed().observationTokens())
                .isEqualTo(new Script().observe(new int[0], true, "Write 2.\n", 2));
        GradedAttempt graded = graded(finished);
        assertThat(graded.reward()).isEqualTo(1.0);
        assertThat(graded.flags()).contains("step_reward:first=1.0", "step_reward:second=1.0");
    }

    @Test
    void eachStepIsWorthWhatItHadComeToAtItsEnd() {
        String[] late = {"true", Script.SUBMIT, "echo 1 > one; echo 2 > two"};
        assertThat(graded(attempt().toTheEnd(runner(true, late))).reward()).isEqualTo(0.5);
        String[] undone = {"echo 1 > one", Script.SUBMIT, "rm one; echo 2 > two"};
        assertThat(graded(attempt().toTheEnd(runner(true, undone))).reward()).isEqualTo(1.0);
    }

    @Test
    void belowTheMinimumThereIsNoNextInstruction() throws Exception {
        task("min_reward = 1\n");
        String[] failed = {"true", Script.SUBMIT, "echo 1 > one; echo 2 > two"};
        FinishedAttempt finished = attempt().toTheEnd(runner(true, failed));
        assertThat(finished.turns()).isEqualTo(2);
        assertThat(finished.outcome()).isEqualTo(Outcome.SUBMITTED);
        GradedAttempt graded = graded(finished);
        assertThat(graded.reward()).isEqualTo(0.0);
        assertThat(graded.flags()).contains("step_below_minimum:first");
        assertThat(provider.leases("run-1")).isEmpty();
        assertThat(graded(attempt().toTheEnd(runner(true, SOLVED))).reward()).isEqualTo(1.0);
    }

    @Test
    void aStageThatIsOpenedAnewGoesOnInTheSameSandbox() {
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(false, SOLVED);
        attempt.times(5, first);
        first.close();
        RolloutRunner second = runner(true, SOLVED);
        assertThat(graded(attempt.toTheEnd(second)).reward()).isEqualTo(1.0);
        assertThat(second.gauges().get("sandboxesAttached").getAsLong()).isEqualTo(1);
    }

    @Test
    void aSandboxThatIsRebuiltIsBroughtToTheSameStep() {
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(true, SOLVED);
        attempt.times(5, first);
        first.close();
        provider = new BubblewrapProvider(scratch);
        RolloutRunner second = runner(true, SOLVED);
        GradedAttempt graded = graded(attempt.toTheEnd(second));
        assertThat(graded.reward()).isEqualTo(1.0);
        assertThat(second.gauges().get("sandboxesRebuilt").getAsLong()).isEqualTo(1);
        assertThat(graded.attempt().tries()).isEqualTo(1);
    }

    /** The second step's test sees how often it was set up. */
    @Test
    void aStepWhoseBeginningWasLostBeginsOnce() {
        Played<Admission, FinishedAttempt> attempt = attempt();
        RolloutRunner first = runner(false, SOLVED);
        attempt.times(4, first);
        StepEvent lost = Played.await(first.start(attempt.due()));
        first.close();
        RolloutRunner second = runner(true, SOLVED);
        StepEvent again = attempt.next(second);
        assertThat(again.executed().end().workspace())
                .as("what the first step had come to, without anything of the second")
                .isEqualTo(lost.executed().end().workspace());
        assertThat(again.executed().observationTokens())
                .isEqualTo(lost.executed().observationTokens());
        assertThat(graded(attempt.toTheEnd(second)).reward()).isEqualTo(1.0);
        assertThat(second.gauges().get("sandboxesRebuilt").getAsLong()).isEqualTo(1);
    }

    @Test
    void whatCanNotBeSetUpForTheAgentsSakeEndsTheAttemptWithItsStepsUnplayed() throws Exception {
        write("steps/second/workdir/setup.sh", "[ -f one ] || exit 3\n");
        String[] spoilt = {"true", Script.SUBMIT, "echo 2 > two"};
        FinishedAttempt finished = attempt().toTheEnd(runner(true, spoilt));
        assertThat(finished.turns()).isEqualTo(2);
        assertThat(graded(finished).flags()).contains("step_unplayed:second");
    }

    private void task(String minimum) throws IOException {
        write(
                "task.toml",
                "[[steps]]\nname = \"first\"\n"
                        + minimum
                        + "[[steps]]\nname = \"second\"\n[environment]\nallow_internet = false\n");
        write("environment/Dockerfile", "FROM a\nWORKDIR /app\n");
        write("steps/first/instruction.md", "Write 1.\n");
        write("steps/first/tests/test.sh", test("[ \"$(cat one)\" = 1 ]"));
        write("steps/second/instruction.md", "Write 2.\n");
        write("steps/second/workdir/setup.sh", SETUP);
        write("steps/second/tests/test.sh", test("[ \"$(grep -c s setups) $(cat two)\" = '1 2' ]"));
    }

    private static String test(String condition) {
        return "#!/bin/sh\n" + condition + "\necho $((1 - $?)) > /logs/verifier/reward.txt\n";
    }

    private void write(String path, String content) throws IOException {
        Path file = folder.resolve("task").resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, content);
    }

    private Played<Admission, FinishedAttempt> attempt() {
        String uri = folder.resolve("task").toUri().toString();
        return new Played<>(
                new RolloutMachine(), Played.admission(uri, 0, Played.budget(5_000, 60_000)));
    }

    private RolloutRunner runner(boolean closing, String... commands) {
        Script script = new Script(commands);
        return new RolloutRunner(
                new RolloutPorts(tasks(closing), script, script, store, Observations.own()), 2);
    }

    private GradedAttempt graded(FinishedAttempt finished) {
        BubblewrapProvider own = new BubblewrapProvider(scratch.resolve("grading"));
        GradingRunner runner = new GradingRunner(environment(own), store, 1, 0);
        try {
            return new Played<>(new GradingMachine(), finished).toTheEnd(runner);
        } finally {
            runner.close();
        }
    }

    /** With sandboxes that outlive the stage, unless they are closed with it. */
    private HarborEnvironment tasks(boolean closing) {
        SandboxProvider lasting =
                (SandboxProvider)
                        Proxy.newProxyInstance(
                                SandboxProvider.class.getClassLoader(),
                                new Class<?>[] {SandboxProvider.class},
                                (self, method, arguments) -> {
                                    if (method.getName().equals("close")) {
                                        return null;
                                    }
                                    try {
                                        return method.invoke(provider, arguments);
                                    } catch (InvocationTargetException e) {
                                        throw e.getCause();
                                    }
                                });
        return environment(closing ? provider : lasting);
    }

    private static HarborEnvironment environment(SandboxProvider sandboxes) {
        return new HarborEnvironment(
                sandboxes,
                new HarborTaskLoader(Map.of()),
                Path::of,
                20_000,
                new RepairGrader(sandboxes));
    }
}
