package dev.millrace.udfs.testlog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Logs that were written to break the reader of logs. */
class HostileLogTest {
    private static final List<String> SAMPLES =
            List.of("junit-surefire", "node-junit", "gradle", "maven", "go-json", "pytest-v-s");

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void noDamageMakesAParserThrow(long seed) {
        Random random = new Random(seed);
        for (String sample : SAMPLES) {
            String damaged = damaged(Samples.log(sample), random);
            for (String parser : LogParsers.names()) {
                assertThatCode(() -> LogParsers.named(parser).orElseThrow().parse(damaged))
                        .as(parser + " reads " + sample)
                        .doesNotThrowAnyException();
            }
        }
    }

    private static String damaged(String log, Random random) {
        StringBuilder text = new StringBuilder(log);
        for (int i = 0; i < 20; i++) {
            int at = random.nextInt(text.length());
            switch (random.nextInt(3)) {
                case 0 -> text.deleteCharAt(at);
                case 1 -> text.setCharAt(at, (char) random.nextInt(0x300));
                default -> text.insert(at, text.substring(at / 2, at / 2 + 9));
            }
        }
        return text.toString();
    }

    @Test
    void reportsThatNeverEndAreReadInTheirTime() {
        LogParser xml = LogParsers.named("parse_log_junit").orElseThrow();
        assertThat(xml.parse("<testsuite>\n".repeat(20_000)).completed()).isFalse();
        assertThat(xml.parse("<?xml version='1.0'?>\n".repeat(20_000)).ran()).isFalse();
        assertThat(xml.parse("<testsuite>\n<a></b>\n".repeat(2_000)).tests()).isEmpty();
    }
}
