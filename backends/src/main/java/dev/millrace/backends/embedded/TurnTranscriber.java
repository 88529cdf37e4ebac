package dev.millrace.backends.embedded;

import dev.millrace.backends.port.Transcriber;
import java.util.List;

/** Reads what {@link TurnRenderer} and the embedded policy write. */
public final class TurnTranscriber implements Transcriber {
    @Override
    public List<Told> told(int[] tokens) {
        String text = PieceTokenizer.decode(tokens);
        return text.isEmpty() ? List.of() : List.of(new Told(false, text));
    }

    @Override
    public String said(int[] completion) {
        return PieceTokenizer.decode(completion);
    }
}
