package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class StatusBlockTest {
    private static final DisplayStyle PLAIN = new DisplayStyle(true, false, true);

    @Test
    void showsARunAsOneBlock() {
        List<String> lines =
                new StatusBlock(PLAIN, "http://localhost:8081")
                        .lines(SampleRun.middle().status(25_000), Duration.ofSeconds(92));
        assertThat(String.join("\n", lines))
                .isEqualTo(
                        """
                        demo       step 4/10 █████░░░░░░░ 1 min 32 s, about 36 s left
                        reward    0.84  ▁▂▂▃▄▅▅▆▇█  (all of the last 6 groups; 83 % mixed)
                        policy    v1.4  loss -0.0213  entropy 0.400
                        groups    offered 22 = trained 8 + dropped 2 + open 12
                        dropped   constant 1, stale 1
                        lag       mean 1.13, max 2 steps
                        now       3 playing, 0 grading, 1.5 turns/s, 0.0 attempts/s
                        held out  v1.0   sampled 0.50 [0.25, 0.75], 12 attempts
                                  v1.0   greedy  0.67 [0.21, 0.94], 3 attempts
                                  v1.10  sampled 0.75 [0.30, 0.95], 4 attempts  (1 of 3 tasks)
                        rejects   undecodable 1
                        web UI    http://localhost:8081\
                        """);
    }

    @Test
    void fitsEightyColumnsWhateverTheNumbers() {
        RunView view = SampleRun.middle();
        for (int i = 0; i < 40; i++) {
            view.progress(Samples.dropped(2, 1000 + i, "a_rather_long_cause_" + i), 0);
        }
        assertThat(new StatusBlock(PLAIN, "http://localhost:8081").lines(view.status(0), hours()))
                .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(80));
    }

    @Test
    void showsAnEmptyRunToo() {
        List<String> lines =
                new StatusBlock(PLAIN, "").lines(new RunView(Samples.SHAPE).status(0), hours());
        assertThat(lines.get(0)).startsWith("demo       step 0/10 ░░░░░░░░░░░░ 27 h 46 min");
        assertThat(lines.get(1)).isEqualTo("reward    no training group has finished yet");
        assertThat(lines.get(2)).isEqualTo("policy    none published yet");
    }

    @Test
    void coloursOnlyWhenAskedTo() {
        RunStatus run = SampleRun.middle().status(0);
        assertThat(new StatusBlock(PLAIN, "").lines(run, hours()))
                .noneMatch(line -> line.contains("\u001b"));
        assertThat(new StatusBlock(new DisplayStyle(true, true, true), "").lines(run, hours()))
                .anyMatch(line -> line.startsWith("\u001b[1m"));
    }

    @Test
    void staysInAsciiWithoutUnicode() {
        RunStatus run = SampleRun.middle().status(0);
        assertThat(new StatusBlock(new DisplayStyle(true, false, false), "").lines(run, hours()))
                .allSatisfy(line -> assertThat(line).isASCII());
    }

    @Test
    void saysItInOneLine() {
        assertThat(StatusLine.line(SampleRun.middle().status(25_000), Duration.ofSeconds(92)))
                .isEqualTo(
                        "   92 s  step 4/10, reward 0.84, groups 22 = 8 trained + 2 dropped + 12"
                                + " open, lag max 2, 1.5 turns/s, held out v1.10 sampled 0.75"
                                + " (1/3)");
    }

    private static Duration hours() {
        return Duration.ofSeconds(99_999);
    }
}
