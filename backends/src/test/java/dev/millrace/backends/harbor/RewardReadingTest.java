package dev.millrace.backends.harbor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.backends.port.SandboxFile;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RewardReadingTest {

    private static RewardReading read(String text, String json) {
        List<SandboxFile> files = new ArrayList<>();
        if (text != null) {
            files.add(new SandboxFile("reward.txt", text.getBytes(UTF_8), false));
        }
        if (json != null) {
            files.add(new SandboxFile("reward.json", json.getBytes(UTF_8), false));
        }
        return RewardReading.of(files);
    }

    private static RewardReading reading(
            double reward, List<String> flags, Map<String, Double> numbers) {
        return new RewardReading(reward, "", flags, numbers);
    }

    @ParameterizedTest
    @CsvSource({"1,1.0", "0,0.0", "' 0.5\n',0.5", "-1.25,-1.25", "1e-1,0.1", ".5,0.5", "+2.,2.0"})
    void readsPlainDecimals(String text, double reward) {
        assertThat(read(text, null))
                .isEqualTo(reading(reward, List.of(), Map.of("reward", reward)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "nan",
                "NaN",
                "inf",
                "-Infinity",
                "1_0",
                "0x1",
                "0,5",
                "1 2",
                " ",
                "1e999",
                "1f",
                "1d",
                "pass"
            })
    void refusesOtherTexts(String text) {
        assertThat(read(text, null).cause()).isEqualTo(RewardReading.UNPARSABLE);
        assertThat(read(text, null).reward()).isNull();
    }

    @Test
    void tellsMissingFromEmpty() {
        assertThat(read(null, null).cause()).isEqualTo(RewardReading.MISSING);
        assertThat(read("", null).cause()).isEqualTo(RewardReading.EMPTY);
        assertThat(read(null, "").cause()).isEqualTo(RewardReading.EMPTY);
        assertThat(read("1" + " ".repeat(70_000), null).cause())
                .isEqualTo(RewardReading.UNPARSABLE);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"reward\": NaN}",
                "[1]",
                "1",
                "{\"reward\": 1} x",
                "{",
                "{\"reward\": true}",
                "{\"reward\": \"1\"}",
                "{\"reward\": 1e999}"
            })
    void refusesOtherJson(String json) {
        assertThat(read(null, json).cause()).isEqualTo(RewardReading.UNPARSABLE);
    }

    @Test
    void takesJsonBeforeText() {
        assertThat(read("0", "{\"reward\": 1}"))
                .isEqualTo(
                        reading(
                                1.0,
                                List.of("rewards_disagree", "reward_txt=0.0"),
                                Map.of("reward", 1.0)));
        assertThat(read("1.0", "{\"reward\": 1, \"speed\": 3}"))
                .isEqualTo(
                        reading(
                                1.0,
                                List.of("reward_number:speed=3"),
                                Map.of("reward", 1.0, "speed", 3.0)));
        assertThat(read("1", "{").cause()).isEqualTo(RewardReading.UNPARSABLE);
    }

    @Test
    void takesTheTextWhenJsonNamesNoReward() {
        assertThat(read("0.5", "{\"speed\": 3}"))
                .isEqualTo(
                        reading(
                                0.5,
                                List.of("reward_number:speed=3"),
                                Map.of("reward", 0.5, "speed", 3.0)));
        assertThat(read(null, "{\"speed\": 3}").cause()).isEqualTo(RewardReading.NO_KEY);
        assertThat(read("0.5", "{\"reward\": true}"))
                .isEqualTo(
                        reading(0.5, List.of("reward_key_ignored:reward"), Map.of("reward", 0.5)));
    }

    @Test
    void keepsAllNumbersAndDropsWhatIsNone() {
        RewardReading reading =
                read(
                        null,
                        "{\"reward\": 0.25, \"a\": true, \"b\": \"0.5\", \"c\": null, \"d\":"
                                + " {\"e\": 1}, \"f\": -2, \"odd \\n"
                                + " key\": 1e999}");
        assertThat(reading.reward()).isEqualTo(0.25);
        assertThat(reading.flags())
                .containsExactly(
                        "reward_key_ignored:a",
                        "reward_key_ignored:b",
                        "reward_key_ignored:c",
                        "reward_key_ignored:d",
                        "reward_number:f=-2",
                        "reward_key_ignored:odd???key");
        assertThat(read(null, "{\"x\": 1, \"y\": 0}"))
                .returns(RewardReading.NO_KEY, RewardReading::cause)
                .returns(null, RewardReading::reward);
        assertThat(read(null, "{}").cause()).isEqualTo(RewardReading.UNPARSABLE);
    }
}
