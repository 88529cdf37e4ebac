package dev.millrace.backends.dataset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.udfs.dataset.DatasetRow;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RowFormatTest {
    private final ObjectNode row = RowLine.rebench("org__sums-1", "Org/Sums");

    @Test
    void readsARowThatBringsEverything() throws RowException {
        DatasetRow read = RowFormat.AUTO.read(row);
        assertThat(read.workdir()).isEqualTo("/Sums");
        assertThat(read.failToPass()).containsExactly("tests/test_sums.py::test_adds");
        assertThat(read.testCommand()).isEqualTo("pytest -rA");
        assertThat(read.createdAt()).isEqualTo("1700000000000");
        assertThat(read.quality().code()).isEqualTo("A");
    }

    @Test
    void metadataMayBeTheOnlyElementOfAList() throws RowException {
        ObjectNode meta = (ObjectNode) row.get("meta");
        JsonNode metadata = meta.remove("llm_metadata");
        ((ObjectNode) metadata.get("detected_issues")).put("B2", true);
        meta.putArray("llm_metadata").add(metadata);
        assertThat(RowFormat.AUTO.read(row).quality().issueDetected()).isTrue();
    }

    @Test
    void severalCommandsAllHaveToSucceed() throws RowException {
        ((ObjectNode) row.get("install_config")).putArray("test_cmd").add("make").add("pytest -rA");
        assertThat(RowFormat.AUTO.read(row).testCommand()).isEqualTo("make && pytest -rA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"a b\", \"c\"]", "['a b', 'c']", "[\"a b\", 'c']"})
    void namesOfTestsMayBeText(String names) throws RowException {
        row.put("FAIL_TO_PASS", names);
        assertThat(RowFormat.AUTO.read(row).failToPass()).isEqualTo(List.of("a b", "c"));
    }

    @ParameterizedTest
    @CsvSource({
        "instance_id, 'instance_id' is missing",
        "repo, 'repo' is missing",
        "base_commit, 'base_commit' is missing",
        "problem_statement, 'problem_statement' is missing"
    })
    void saysWhatIsMissing(String field, String message) {
        row.remove(field);
        assertThatThrownBy(() -> RowFormat.AUTO.read(row))
                .isInstanceOf(RowException.class)
                .hasMessage(message);
    }

    @Test
    void refusesWhatWouldEndUpInAShell() {
        row.put("base_commit", "$(reboot)");
        assertThatThrownBy(() -> RowFormat.AUTO.read(row)).hasMessageContaining("no commit");
        row.put("base_commit", "c0ffee1").put("repo", "org/..");
        assertThatThrownBy(() -> RowFormat.AUTO.read(row)).hasMessageContaining("no owner/name");
    }

    @Test
    void wrappedRowsNameTheirImagesAsTheirDatasetDoes() throws RowException {
        ObjectNode wrapped = RowLine.JSON.createObjectNode();
        row.remove(List.of("image_name", "install_config", "language", "meta"));
        row.put("version", "1.2").put("hints_text", "Look there.");
        row.put("FAIL_TO_PASS", "[\"tests/test_sums.py::test_adds\"]");
        wrapped.putObject("metadata").set("instance", row);
        DatasetRow read = RowFormat.AUTO.read(wrapped);
        assertThat(read.imageName()).isEqualTo("xingyaoww/sweb.eval.x86_64.org_s_sums-1:latest");
        assertThat(read.workdir()).isEqualTo("/testbed");
        assertThat(read.version()).isEqualTo("1.2");
        assertThat(read.hints()).isEqualTo("Look there.");
        assertThat(read.testCommand())
                .isEqualTo("python -m pytest -rA -p no:cacheprovider 'tests/test_sums.py'");
        assertThat(read.quality()).isNull();
        ((ObjectNode) wrapped.get("metadata")).put("base_image", "local/image:1");
        assertThat(RowFormat.AUTO.read(wrapped).imageName()).isEqualTo("local/image:1");
    }

    @Test
    void plainRowsAreThoseOfSweBench() throws RowException {
        row.remove(List.of("image_name", "install_config", "language", "meta"));
        assertThat(RowFormat.AUTO.read(row).imageName())
                .isEqualTo("swebench/sweb.eval.x86_64.org_1776_sums-1:latest");
        assertThat(RowFormat.SWE_GYM.read(row).imageName())
                .isEqualTo("xingyaoww/sweb.eval.x86_64.org_s_sums-1:latest");
        row.put("repo", "django/django");
        assertThat(RowFormat.SWE_BENCH.read(row).logParser()).isEqualTo("parse_log_django");
        assertThat(RowFormat.SWE_BENCH.read(row).testCommand()).endsWith(" 'test_sums'");
    }
}
