package dev.millrace.jobs.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LiveDisplayTest {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final Clock clock = Clock.fixed(Instant.ofEpochMilli(25_000), ZoneOffset.UTC);

    @Test
    void redrawsTheBlockWhereItStands() {
        LiveDisplay display = display(new DisplayStyle(true, false, true));
        display.draw();
        String first = text();
        display.draw();
        long lines = first.chars().filter(c -> c == '\n').count();
        assertThat(first).doesNotContain("A\r").contains("\u001b[K\n").endsWith("\u001b[J");
        assertThat(text().substring(first.length())).startsWith("\u001b[" + lines + "A\r");
    }

    @Test
    void printsALineForANewStepOnlyWhenNotOnATerminal() {
        LiveDisplay display = display(new DisplayStyle(false, false, true));
        display.draw();
        display.draw();
        assertThat(text().lines()).hasSize(1);
        assertThat(text()).contains("step 4/10").doesNotContain("\u001b");
    }

    @Test
    void findsOutWhatATerminalCanDo() {
        Map<String, String> xterm = Map.of("TERM", "xterm", "LANG", "en_US.UTF-8");
        assertThat(DisplayStyle.detect(true, xterm)).isEqualTo(new DisplayStyle(true, true, true));
        assertThat(DisplayStyle.detect(false, xterm))
                .isEqualTo(new DisplayStyle(false, false, true));
        assertThat(DisplayStyle.detect(true, Map.of("TERM", "xterm", "NO_COLOR", "1")))
                .isEqualTo(new DisplayStyle(true, false, false));
        assertThat(DisplayStyle.detect(true, Map.of("TERM", "xterm", "CI", "true")).inPlace())
                .isFalse();
        assertThat(DisplayStyle.detect(true, Map.of("LC_ALL", "C", "LANG", "en_US.UTF-8")))
                .isEqualTo(new DisplayStyle(false, false, false));
    }

    private LiveDisplay display(DisplayStyle style) {
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        return new LiveDisplay(List.of(SampleRun.middle()), style, "", out, clock, clock.millis());
    }

    private String text() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
