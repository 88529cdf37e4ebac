package dev.millrace.pipeline.adapters;

import dev.millrace.backends.render.TextTokenizer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** One tokenizer for each file in a process: it is large, and safe to share. Never closed. */
final class SharedTokenizers {
    private static final Map<Path, TextTokenizer> READ = new HashMap<>();

    private SharedTokenizers() {}

    static synchronized TextTokenizer at(String path) throws IOException {
        Path file = Path.of(path).toAbsolutePath();
        TextTokenizer known = READ.get(file);
        if (known == null) {
            known = TextTokenizer.read(file);
            READ.put(file, known);
        }
        return known;
    }
}
