package dev.millrace.backends.render;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Path;

/** A small tokenizer of the same kind as Qwen's. */
final class Tokenizers {
    private Tokenizers() {}

    static TextTokenizer small() {
        try {
            return TextTokenizer.read(resource("tokenizer.json"));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    static Path resource(String name) {
        try {
            return Path.of(Tokenizers.class.getResource("/render/" + name).toURI());
        } catch (URISyntaxException e) {
            throw new AssertionError(e);
        }
    }
}
