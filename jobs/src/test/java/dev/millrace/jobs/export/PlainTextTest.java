package dev.millrace.jobs.export;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PlainTextTest {
    @Test
    void keepsTextsAsTheyAre() {
        assertThat(PlainText.of("a\tb\nä 😀 e\u0301")).isEqualTo("a\tb\nä 😀 e\u0301");
        assertThat(PlainText.of("one\r\ntwo")).isEqualTo("one\ntwo");
    }

    @Test
    void takesWhatSteersATerminal() {
        assertThat(PlainText.of("\u001b[2Jx\u0007\u009b1m\u0000\u007f"))
                .isEqualTo("\ufffd[2Jx\ufffd\ufffd1m\ufffd\ufffd");
        assertThat(PlainText.of("50%\r100%")).isEqualTo("50%\ufffd100%");
        assertThat(PlainText.of("a\u202eb\u2066c")).isEqualTo("a\ufffdb\ufffdc");
    }

    @Test
    void takesHalvesOfCharacters() {
        assertThat(PlainText.of("a\ud83d")).isEqualTo("a\ufffd");
        assertThat(PlainText.of("\ude00b")).isEqualTo("\ufffdb");
    }

    @Test
    void cutsALineBetweenCharacters() {
        assertThat(PlainText.line("a\nb", 10)).isEqualTo("a b");
        assertThat(PlainText.line("😀😀😀", 2)).isEqualTo("😀😀...");
    }
}
