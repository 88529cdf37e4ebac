package dev.millrace.backends.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.Transcriber.Told;
import org.junit.jupiter.api.Test;

class TurnTranscriberTest {
    private final TurnTranscriber transcriber = new TurnTranscriber();

    @Test
    void readsWhatTheRendererWrites() {
        TurnRenderer renderer = new TurnRenderer();
        assertThat(transcriber.told(renderer.start("Repair it, süß.\n")))
                .containsExactly(new Told(false, "Repair it, süß.\n"));
        assertThat(transcriber.said(TurnRenderer.turn("cat a.py"))).isEqualTo("cat a.py");
        assertThat(transcriber.told(renderer.observe(new int[0], false, "x = 1\n", 1)))
                .containsExactly(new Told(false, "x = 1\n"));
    }

    @Test
    void whatHasNoTextIsNotTold() {
        assertThat(transcriber.told(new int[] {Vocabulary.END_OF_TURN})).isEmpty();
        assertThat(transcriber.said(new int[] {Integer.MAX_VALUE, -1})).isEmpty();
    }
}
