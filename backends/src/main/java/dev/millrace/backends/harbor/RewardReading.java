package dev.millrace.backends.harbor;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import dev.millrace.backends.port.SandboxFile;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * Reads the reward that a test script has left. {@code reward.json} goes before {@code reward.txt}.
 * Numbers are plain decimal: a NaN would poison the statistics of a whole group.
 *
 * @param reward null when there is none
 * @param cause why there is none; empty otherwise
 * @param flags what is odd about it
 * @param numbers all that there are, by name
 */
record RewardReading(Double reward, String cause, List<String> flags, Map<String, Double> numbers) {
    static final String MISSING = "reward_missing";
    static final String EMPTY = "reward_empty";
    static final String UNPARSABLE = "reward_unparsable";
    static final String NO_KEY = "reward_key_missing";

    private static final String REWARD = "reward";
    private static final String IGNORED = "reward_key_ignored:";
    private static final int MOST_BYTES = 64 << 10;
    private static final int MOST_FLAGS = 20;
    private static final int MOST_KEY = 64;
    private static final Pattern DECIMAL =
            Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d+)?");
    private static final ObjectReader JSON =
            new ObjectMapper().reader().with(DeserializationFeature.FAIL_ON_TRAILING_TOKENS);

    /** From the regular files of the verifier's log folder. */
    static RewardReading of(List<SandboxFile> files) {
        Optional<byte[]> json = content(files, "reward.json");
        Optional<byte[]> text = content(files, "reward.txt");
        if (json.isEmpty()) {
            return text.map(RewardReading::fromText).orElseGet(() -> failed(MISSING, List.of()));
        }
        RewardReading fromJson = fromJson(json.get());
        if (text.isEmpty()) {
            return fromJson;
        }
        RewardReading fromText = fromText(text.get());
        boolean noKey = fromJson.cause.equals(NO_KEY) || !fromJson.flags.isEmpty();
        if (fromJson.reward == null && noKey && fromText.reward != null) {
            Map<String, Double> numbers = new TreeMap<>(fromJson.numbers);
            numbers.put(REWARD, fromText.reward);
            return new RewardReading(fromText.reward, "", fromJson.flags, numbers);
        }
        List<String> flags = new ArrayList<>(fromJson.flags);
        if (fromJson.reward != null && !fromJson.reward.equals(fromText.reward)) {
            flags.add("rewards_disagree");
            if (fromText.reward != null) {
                flags.add("reward_txt=" + fromText.reward);
            }
        }
        return new RewardReading(
                fromJson.reward, fromJson.cause, List.copyOf(flags), fromJson.numbers);
    }

    private static RewardReading fromText(byte[] bytes) {
        if (bytes.length == 0) {
            return failed(EMPTY, List.of());
        }
        String text = new String(bytes, StandardCharsets.UTF_8).strip();
        if (bytes.length > MOST_BYTES || !DECIMAL.matcher(text).matches()) {
            return failed(UNPARSABLE, List.of());
        }
        double value = Double.parseDouble(text);
        return Double.isFinite(value)
                ? new RewardReading(value, "", List.of(), Map.of(REWARD, value))
                : failed(UNPARSABLE, List.of());
    }

    private static RewardReading fromJson(byte[] bytes) {
        if (bytes.length == 0) {
            return failed(EMPTY, List.of());
        }
        JsonNode root = bytes.length > MOST_BYTES ? null : parse(bytes);
        if (root == null || !root.isObject()) {
            return failed(UNPARSABLE, List.of());
        }
        List<String> flags = new ArrayList<>();
        Map<String, Double> numbers = new TreeMap<>();
        root.fields()
                .forEachRemaining(
                        entry -> {
                            String key = shown(entry.getKey());
                            if (isFinite(entry.getValue()) && numbers.size() < MOST_FLAGS) {
                                numbers.put(entry.getKey(), entry.getValue().doubleValue());
                            }
                            if (!isFinite(entry.getValue())) {
                                flags.add(IGNORED + key);
                            } else if (!entry.getKey().equals(REWARD)) {
                                flags.add("reward_number:" + key + "=" + entry.getValue());
                            }
                        });
        boolean nothing = flags.stream().allMatch(flag -> flag.startsWith(IGNORED));
        JsonNode reward = root.get(REWARD);
        return reward != null && isFinite(reward)
                ? new RewardReading(
                        reward.doubleValue(), "", few(flags), withReward(numbers, reward))
                : new RewardReading(null, nothing ? UNPARSABLE : NO_KEY, few(flags), numbers);
    }

    private static Map<String, Double> withReward(Map<String, Double> numbers, JsonNode reward) {
        numbers.put(REWARD, reward.doubleValue());
        return numbers;
    }

    private static List<String> few(List<String> flags) {
        return List.copyOf(flags.subList(0, Math.min(MOST_FLAGS, flags.size())));
    }

    /** A key as it may be shown: whoever wrote it is not trusted. */
    private static String shown(String key) {
        String plain = key.replaceAll("[^A-Za-z0-9_.-]", "?");
        return plain.substring(0, Math.min(MOST_KEY, plain.length()));
    }

    private static JsonNode parse(byte[] bytes) {
        try {
            return JSON.readTree(bytes);
        } catch (JsonProcessingException notJson) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isFinite(JsonNode node) {
        return node.isNumber() && Double.isFinite(node.doubleValue());
    }

    private static Optional<byte[]> content(List<SandboxFile> files, String name) {
        return files.stream()
                .filter(file -> file.path().equals(name))
                .map(SandboxFile::content)
                .findFirst();
    }

    private static RewardReading failed(String cause, List<String> flags) {
        return new RewardReading(null, cause, flags, Map.of());
    }
}
