package dev.millrace.backends.harbor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.udfs.model.FailureClass;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An environment is used when its own check says that it is fit. */
final class HealthcheckTest extends VerifierFixture {
    /** Fit from the given check on. */
    private static final String COUNT = "echo x >> /tmp/checks; [ $(wc -l < /tmp/checks) -ge %d ]";

    @Test
    void readsItsSettingsAndTheirDefaults() throws Exception {
        assertThat(loader.load(checked("true", "").path).healthcheck())
                .contains(new Healthcheck("true", 5_000, 30_000, 0, 5_000, 3));
        String all =
                "interval_sec = 1.5\ntimeout_sec = 2\nstart_period_sec = 3\nstart_interval_sec ="
                        + " 0\nretries = 7\n";
        assertThat(loader.load(checked("true", all).path).healthcheck())
                .contains(new Healthcheck("true", 1_500, 2_000, 3_000, 0, 7));
        assertThat(loader.load(task().with("task.toml", "").path).healthcheck()).isEmpty();
    }

    @Test
    void waitsUntilTheEnvironmentIsFit() throws Exception {
        String fast = "interval_sec = 0.01\nretries = 3\n";
        TaskFolder task = checked(COUNT.formatted(3), fast);
        assertThat(play(task, "[ -s /tmp/checks ] && sed -i s/minus/plus/ sign.txt"))
                .returns(1.0, Verdict::reward)
                .returns(List.of(), Verdict::flags);
        assertThat(play(task, "true").reward()).isEqualTo(0.0);
    }

    @Test
    void isAFailureOfTheEnvironmentAfterSoManyInARow() throws Exception {
        String fast = "interval_sec = 0.01\nretries = 3\n";
        SandboxException unfit = unfit(checked(COUNT.formatted(4) + " || exit 7", fast));
        assertThat(unfit.kind()).as("counts against the task's image").isEqualTo(Kind.IMAGE);
        assertThat(unfit.policyCaused()).isFalse();
        assertThat(unfit).hasMessageContaining("3 checks in a row").hasMessageContaining("exit 7");
        assertThat(provider.leases("test")).isEmpty();
    }

    @Test
    void failuresWhileItStartsDoNotCount() throws Exception {
        String slow = "interval_sec = 60\nretries = 1\n";
        String starting = slow + "start_period_sec = 30\nstart_interval_sec = 0.01\n";
        assertThat(play(checked(COUNT.formatted(5), starting), "ls").reward()).isEqualTo(0.0);
        assertThat(unfit(checked(COUNT.formatted(5), slow))).hasMessageContaining("1 checks");
    }

    @Test
    void endsWithTheTimeToBuildTheEnvironment() throws Exception {
        String endless = "interval_sec = 0.05\nretries = 1000000\n";
        String toml =
                "[environment]\nallow_internet = false\nbuild_timeout_sec = 0.4\n"
                        + "[environment.healthcheck]\ncommand = \"exit 1\"\n"
                        + endless;
        assertThat(unfit(task().with("task.toml", toml))).hasMessageContaining("not fit when");
        String hanging = toml.replace("exit 1", "sleep 50").replace(endless, "retries = 1\n");
        assertThat(unfit(task().with("task.toml", hanging))).hasMessageContaining("timeout");
    }

    /** What an agent does can't make the check fail that its tests wait for. */
    @Test
    void isAskedBeforeAnythingOfTheAgentIsThere() throws Exception {
        TaskFolder task = checked("[ -f sign.txt ]", "interval_sec = 0.01\nretries = 1\n");
        assertThat(play(task, "rm sign.txt").reward()).isEqualTo(0.0);
        assertThat(play(task, "sed -i s/minus/plus/ sign.txt").reward()).isEqualTo(1.0);
    }

    @Test
    void aVerifierWithoutAFitEnvironmentGivesNoVerdict() throws Exception {
        String onlyFirst = "mkdir /tmp/once && [ ! -e /logs/unfit ]";
        HarborTask task = loader.load(checked(onlyFirst, "retries = 1\n").path);
        Verdict fit = new HarborVerifier(provider).grade(task, List.of(), Lease.of("v", "test"));
        assertThat(fit.reward()).isEqualTo(0.0);
        HarborTask never = loader.load(checked("exit 5", "retries = 1\n").path);
        Verdict unfit = new HarborVerifier(provider).grade(never, List.of(), Lease.of("v", "test"));
        assertThat(unfit)
                .returns(null, Verdict::reward)
                .returns(FailureClass.INFRA, Verdict::failureClass)
                .returns("verifier_sandbox_image", Verdict::cause);
    }

    private TaskFolder checked(String command, String settings) throws Exception {
        return task().with(
                        "task.toml",
                        TaskFolder.CLOSED
                                + "[environment.healthcheck]\ncommand = '"
                                + command
                                + "'\n"
                                + settings);
    }

    private SandboxException unfit(TaskFolder task) throws Exception {
        HarborTask loaded = loader.load(task.path);
        return catchThrowableOfType(
                SandboxException.class,
                () -> new TaskSandbox(provider).prepare(loaded, Lease.of("a", "test")));
    }
}
