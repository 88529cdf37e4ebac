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

    private static DatasetRow read(RowFormat format, JsonNode node) throws RowException {
        return format.read(node, TestCommands.known());
    }

    @Test
    void readsARowThatBringsEverything() throws RowException {
        DatasetRow read = read(RowFormat.AUTO, row);
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
        assertThat(read(RowFormat.AUTO, row).quality().issueDetected()).isTrue();
    }

    @Test
    void severalCommandsAllHaveToSucceed() throws RowException {
        ((ObjectNode) row.get("install_config")).putArray("test_cmd").add("make").add("pytest -rA");
        assertThat(read(RowFormat.AUTO, row).testCommand()).isEqualTo("make && pytest -rA");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[\"a b\", \"c\"]", "['a b', 'c']", "[\"a b\", 'c']"})
    void namesOfTestsMayBeText(String names) throws RowException {
        row.put("FAIL_TO_PASS", names);
        assertThat(read(RowFormat.AUTO, row).failToPass()).isEqualTo(List.of("a b", "c"));
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
        assertThatThrownBy(() -> read(RowFormat.AUTO, row))
                .isInstanceOf(RowException.class)
                .hasMessage(message);
    }

    @Test
    void refusesWhatWouldEndUpInAShell() {
        row.put("base_commit", "$(reboot)");
        assertThatThrownBy(() -> read(RowFormat.AUTO, row)).hasMessageContaining("no commit");
        row.put("base_commit", "c0ffee1").put("repo", "org/..");
        assertThatThrownBy(() -> read(RowFormat.AUTO, row)).hasMessageContaining("no owner/name");
    }

    @Test
    void wrappedRowsNameTheirImagesAsTheirDatasetDoes() throws RowException {
        ObjectNode wrapped = RowLine.JSON.createObjectNode();
        row.remove(List.of("image_name", "install_config", "language", "meta"));
        row.put("version", "1.2").put("hints_text", "Look there.");
        row.put("FAIL_TO_PASS", "[\"tests/test_sums.py::test_adds\"]");
        wrapped.putObject("metadata").set("instance", row);
        DatasetRow read = read(RowFormat.AUTO, wrapped);
        assertThat(read.imageName()).isEqualTo("xingyaoww/sweb.eval.x86_64.org_s_sums-1:latest");
        assertThat(read.workdir()).isEqualTo("/testbed");
        assertThat(read.version()).isEqualTo("1.2");
        assertThat(read.hints()).isEqualTo("Look there.");
        assertThat(read.testCommand()).isEmpty();
        assertThat(read.quality()).isNull();
        ((ObjectNode) wrapped.get("metadata")).put("base_image", "local/image:1");
        assertThat(read(RowFormat.AUTO, wrapped).imageName()).isEqualTo("local/image:1");
    }

    @Test
    void plainRowsAreThoseOfSweBench() throws RowException {
        row.remove(List.of("image_name", "install_config", "language", "meta"));
        assertThat(read(RowFormat.AUTO, row).imageName())
                .isEqualTo("swebench/sweb.eval.x86_64.org_1776_sums-1:latest");
        assertThat(read(RowFormat.SWE_GYM, row).imageName())
                .isEqualTo("xingyaoww/sweb.eval.x86_64.org_s_sums-1:latest");
    }

    @Test
    void rowsOfKnownRepositoriesAreTestedAsTheirHarnessDoes() throws RowException {
        row.remove(List.of("image_name", "install_config", "language", "meta"));
        row.put("repo", "django/django").put("version", "3.1");
        DatasetRow django = read(RowFormat.SWE_BENCH, row);
        assertThat(django.logParser()).isEqualTo("parse_log_django");
        assertThat(django.testCommand())
                .endsWith("--settings=test_sqlite --parallel 1 'test_sums'");
        row.put("repo", "getmoto/moto");
        DatasetRow moto = read(RowFormat.SWE_GYM, row);
        assertThat(moto.testCommand()).isEqualTo("pytest -n auto -rA 'tests/test_sums.py'");
        assertThat(moto.logParser()).isEqualTo("parse_log_pytest");
        row.put("test_cmd", "make check").put("log_parser", "parse_log_unittest");
        assertThat(read(RowFormat.SWE_GYM, row).testCommand()).isEqualTo("make check");
        assertThat(read(RowFormat.SWE_GYM, row).logParser()).isEqualTo("parse_log_unittest");
    }
}
