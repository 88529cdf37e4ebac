package dev.millrace.bench.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FaultPlanTest {
    @TempDir Path folder;

    @Test
    void readsEveryFormOfARule() throws Exception {
        Path file = folder.resolve("faults.txt");
        Files.writeString(
                file,
                """
                # what goes wrong
                exec(g3.a1) -> hang

                model -> 503 for 90 s
                terminate -> 500 three times   # then it works
                grade(g9.*) -> 600 s
                trainer session lost at s5.m1
                model -> nan 1.5 %
                trainer -> task exception once
                exec(g1.a0.u2) -> gone
                """);
        assertThat(FaultPlan.read(file))
                .containsExactly(
                        rule(FaultTarget.EXEC, "g3.a1", FaultEffect.HANG, 0, 0, 0, 0, 100),
                        rule(FaultTarget.MODEL, "", FaultEffect.STATUS, 503, 0, 0, 90_000, 100),
                        rule(FaultTarget.TERMINATE, "", FaultEffect.STATUS, 500, 0, 3, 0, 100),
                        rule(FaultTarget.GRADE, "g9.*", FaultEffect.SLOW, 0, 600_000, 0, 0, 100),
                        rule(
                                FaultTarget.TRAINER,
                                "s5.m1",
                                FaultEffect.SESSION_LOST,
                                0,
                                0,
                                1,
                                0,
                                100),
                        rule(FaultTarget.MODEL, "", FaultEffect.NAN, 0, 0, 0, 0, 1.5),
                        rule(FaultTarget.TRAINER, "", FaultEffect.TASK_EXCEPTION, 0, 0, 1, 0, 100),
                        rule(FaultTarget.EXEC, "g1.a0.u2", FaultEffect.GONE, 0, 0, 1, 0, 100));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exex(g3.a1) -> hang | there is no target \"exex\"; one of model, create",
                "exec -> explode | \"explode\" is no effect; one of hang, gone",
                "exec(3) -> hang | \"3\" is no id; for instance g3.a1",
                "model -> 503 sometimes | \"sometimes\" is not understood",
                "exec -> session lost | only the trainer has sessions",
                "-> hang | is no rule; write target -> effect"
            })
    void namesFileLineAndRemedyOfABadLine(String line, String message) throws Exception {
        Path file = folder.resolve("faults.txt");
        Files.writeString(file, "model -> hang once\n" + line + "\n");
        assertThatThrownBy(() -> FaultPlan.read(file))
                .isInstanceOf(FaultPlanException.class)
                .hasMessageStartingWith("faults.txt line 2: ")
                .hasMessageContaining(message);
    }

    @Test
    void strikesAsOftenAndAsLongAsItSays() throws Exception {
        AtomicLong clock = new AtomicLong();
        ArmedFaults faults = new ArmedFaults(new VirtualTime(10), clock::get, 1);
        faults.arm(FaultPlan.parse("exec(g3.*) -> 500 twice", "here"));
        faults.arm(FaultPlan.parse("model -> 503 for 90 s", "here"));
        assertThat(faults.next(FaultTarget.EXEC, "g4.a0.u1")).isEmpty();
        assertThat(faults.next(FaultTarget.EXEC, "g3.a0.u1")).isPresent();
        assertThat(faults.next(FaultTarget.EXEC, "g3.a7.u0")).isPresent();
        assertThat(faults.next(FaultTarget.EXEC, "g3.a7.u0")).isEmpty();
        clock.set(8_999);
        assertThat(faults.next(FaultTarget.MODEL, "x.1")).isPresent();
        clock.set(9_000);
        assertThat(faults.next(FaultTarget.MODEL, "x.1")).isEmpty();
    }

    @Test
    void saysWhenARuleStruckForTheFirstTime() throws Exception {
        AtomicLong clock = new AtomicLong(5);
        ArmedFaults faults = new ArmedFaults(new VirtualTime(10), clock::get, 1);
        int away = faults.arm(FaultPlan.parse("model -> 503 for 90 s", "here"));
        int gone = faults.arm(FaultPlan.parse("exec -> gone", "here"));
        assertThat(faults.firstStrike(gone)).isEmpty();
        clock.set(7);
        faults.next(FaultTarget.MODEL, "x.1");
        clock.set(9);
        faults.next(FaultTarget.MODEL, "x.2");
        faults.next(FaultTarget.EXEC, "g3.a0.u1");
        assertThat(faults.firstStrike(away)).hasValue(7);
        assertThat(faults.firstStrike(gone)).hasValue(9);
    }

    @Test
    void choosesAShareOfTheCallsByTheirId() throws Exception {
        ArmedFaults faults = new ArmedFaults(new VirtualTime(10), () -> 0, 1);
        faults.arm(FaultPlan.parse("model -> nan 10 %", "here"));
        long struck =
                IntStream.range(0, 1000)
                        .filter(i -> faults.next(FaultTarget.MODEL, "call." + i).isPresent())
                        .count();
        assertThat(struck).isBetween(60L, 140L);
        assertThat(faults.next(FaultTarget.MODEL, "call.1"))
                .isEqualTo(faults.next(FaultTarget.MODEL, "call.1"));
    }

    private static FaultRule rule(
            FaultTarget target,
            String selector,
            FaultEffect effect,
            int status,
            long slow,
            int times,
            long lasts,
            double percent) {
        return new FaultRule(target, selector, effect, status, slow, times, lasts, percent);
    }
}
