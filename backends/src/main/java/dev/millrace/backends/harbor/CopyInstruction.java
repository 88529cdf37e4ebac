package dev.millrace.backends.harbor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A COPY or ADD, taken apart.
 *
 * @param flags their values by their names, without dashes
 * @param sources paths or patterns below {@code environment/}
 * @param target path inside
 */
record CopyInstruction(Map<String, String> flags, List<String> sources, String target) {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Takes the arguments apart; empty when sources or target are missing. */
    static Optional<CopyInstruction> parse(String arguments) {
        Map<String, String> flags = new LinkedHashMap<>();
        String rest = arguments;
        while (rest.startsWith("--")) {
            String[] parts = rest.split("\\s+", 2);
            String[] flag = parts[0].substring(2).split("=", 2);
            flags.put(flag[0], flag.length > 1 ? flag[1] : "");
            rest = parts.length > 1 ? parts[1] : "";
        }
        String named = rest;
        List<String> words = list(named).orElseGet(() -> Dockerfile.words(named));
        if (words.size() < 2) {
            return Optional.empty();
        }
        int last = words.size() - 1;
        return Optional.of(
                new CopyInstruction(flags, List.copyOf(words.subList(0, last)), words.get(last)));
    }

    /** A JSON list of texts, as several instructions may be written; empty for anything else. */
    static Optional<List<String>> list(String text) {
        if (!text.startsWith("[")) {
            return Optional.empty();
        }
        try {
            return Optional.of(JSON.readValue(text, new TypeReference<List<String>>() {}));
        } catch (JsonProcessingException noList) {
            return Optional.empty();
        }
    }
}
