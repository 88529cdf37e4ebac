package dev.millrace.udfs.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RowFilterTest {
    private static final RowFilter FILTER =
            new RowFilter("A", Set.of("python"), Set.of("parse_log_pytest"));

    @Test
    void letsACompleteRowThrough() {
        assertThat(FILTER.rejection(row(new RowQuality("a", false), " Python "))).isEmpty();
    }

    @Test
    void namesTheFirstReason() {
        assertThat(FILTER.rejection(row(new RowQuality("B1", false), "go")))
                .hasValue("quality grade");
        assertThat(FILTER.rejection(row(new RowQuality("A", true), "python")))
                .hasValue("quality grade");
        assertThat(FILTER.rejection(row(new RowQuality("", false), "python")))
                .hasValue("quality grade");
        assertThat(FILTER.rejection(row(new RowQuality("A", false), "go")))
                .hasValue("unsupported language 'go'");
    }

    @Test
    void namesEachThingThatIsMissing() {
        assertThat(rejected("", "", "image", List.of("t"), "p", "/w"))
                .isEqualTo("unsupported log parser ''");
        String parser = "parse_log_pytest";
        assertThat(rejected(parser, "", "image", List.of("t"), "p", "/w"))
                .isEqualTo("no test command");
        assertThat(rejected(parser, "run", "", List.of("t"), "p", "/w")).isEqualTo("no image");
        assertThat(rejected(parser, "run", "image", List.of(), "p", "/w"))
                .isEqualTo("no FAIL_TO_PASS");
        assertThat(rejected(parser, "run", "image", List.of("t"), " \n", "/w"))
                .isEqualTo("no test patch");
        assertThat(rejected(parser, "run", "image", List.of("t"), "p", "/"))
                .isEqualTo("no working folder");
    }

    @Test
    void anyGradeWillDoWhenNoneIsAskedFor() {
        RowFilter all = new RowFilter("none", Set.of("python"), Set.of("parse_log_pytest"));
        assertThat(all.rejection(row(new RowQuality("B7", true), "python"))).isEmpty();
    }

    private static String rejected(
            String parser,
            String command,
            String image,
            List<String> tests,
            String patch,
            String workdir) {
        return FILTER.rejection(
                        Rows.of(
                                parser,
                                command,
                                image,
                                tests,
                                patch,
                                workdir,
                                new RowQuality("A", false),
                                "python"))
                .orElseThrow();
    }

    private static DatasetRow row(RowQuality quality, String language) {
        return Rows.of(
                "parse_log_pytest", "run", "image", List.of("t"), "p", "/w", quality, language);
    }
}
