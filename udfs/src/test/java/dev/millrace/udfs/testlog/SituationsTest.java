package dev.millrace.udfs.testlog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every framework in every situation that makes its output hard to read. The samples are output of
 * the frameworks themselves; {@code situations.csv} says what they show.
 */
class SituationsTest {
    private static final Set<String> SITUATIONS =
            Set.of("failure", "skip", "error", "parameters", "colours", "stderr", "crash");
    private static final String NOT = "-";

    /** A line of the table. */
    record Situation(
            String framework,
            String situation,
            String parser,
            String sample,
            String test,
            String expected) {
        @Override
        public String toString() {
            return framework + ", " + situation + ": " + test;
        }
    }

    static Stream<Situation> situations() {
        return Samples.text("situations.csv")
                .lines()
                .filter(line -> !line.startsWith("#"))
                .map(line -> line.split("\\|"))
                .map(cell -> new Situation(cell[0], cell[1], cell[2], cell[3], cell[4], cell[5]));
    }

    @ParameterizedTest
    @MethodSource("situations")
    void readsWhatTheFrameworkPrints(Situation row) {
        TestLog log = Samples.parsed(parser(row.parser()), row.sample());
        String actual =
                switch (row.test()) {
                    case "<completed>" -> log.completed() ? "+" : NOT;
                    case "<ran>" -> log.ran() ? "+" : NOT;
                    default -> status(log, row.test());
                };
        assertThat(actual).isEqualTo(row.expected());
        assertThat(log.ran()).isTrue();
    }

    private static String parser(String name) {
        return name.equals("java_mvn") ? "parse_" + name : "parse_log_" + name;
    }

    private static String status(TestLog log, String test) {
        TestStatus status = log.tests().get(test);
        return status == null ? NOT : status.name();
    }

    @Test
    void everyFrameworkIsSeenInEverySituation() {
        Map<String, Set<String>> seen = new LinkedHashMap<>();
        situations()
                .forEach(
                        row ->
                                seen.computeIfAbsent(row.framework(), name -> new TreeSet<>())
                                        .add(row.situation()));
        assertThat(seen).hasSizeGreaterThan(10);
        assertThat(seen).allSatisfy((name, found) -> assertThat(found).isEqualTo(SITUATIONS));
    }
}
