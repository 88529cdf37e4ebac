package dev.millrace.backends.render;

import ai.djl.huggingface.tokenizers.HuggingFaceTokenizer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Text to token ids and back, by a model's {@code tokenizer.json}. Thread-safe. */
public final class TextTokenizer implements AutoCloseable {
    private final HuggingFaceTokenizer tokenizer;
    private final Map<String, Integer> marks;

    private TextTokenizer(HuggingFaceTokenizer tokenizer, Map<String, Integer> marks) {
        this.tokenizer = tokenizer;
        this.marks = marks;
    }

    /**
     * Reads a tokenizer.
     *
     * @throws IOException when the file is none
     */
    public static TextTokenizer read(Path file) throws IOException {
        if (!Files.isRegularFile(file)) {
            throw new IOException(file + " is no tokenizer.json");
        }
        Map<String, Integer> marks = new HashMap<>();
        JsonNode json = new ObjectMapper().readTree(file.toFile());
        for (JsonNode added : json.path("added_tokens")) {
            marks.put(added.path("content").asText(), added.path("id").asInt());
        }
        return new TextTokenizer(
                HuggingFaceTokenizer.builder()
                        .optTokenizerPath(file)
                        .optAddSpecialTokens(false)
                        .optTruncation(false)
                        .optPadding(false)
                        .build(),
                marks);
    }

    /** The id of a mark, such as {@code <|im_end|>}. */
    int mark(String text) {
        Integer id = marks.get(text);
        if (id == null) {
            throw new IllegalArgumentException("The tokenizer has no token " + text);
        }
        return id;
    }

    /** Text to which nothing has been appended yet. */
    Markup markup() {
        return new Markup(new ArrayList<>(marks.keySet()));
    }

    int[] encode(Markup markup) {
        return markup.parts().stream()
                .map(part -> tokenizer.encode(part).getIds())
                .flatMapToLong(Arrays::stream)
                .mapToInt(Math::toIntExact)
                .toArray();
    }

    String decode(int[] ids) {
        return ids.length == 0
                ? ""
                : tokenizer.decode(Arrays.stream(ids).asLongStream().toArray(), false);
    }

    /** Ids that end a turn. */
    public List<Integer> stops() {
        return List.of(mark(QwenTemplate.END), mark(QwenTemplate.END_OF_TEXT));
    }

    @Override
    public void close() {
        tokenizer.close();
    }
}
