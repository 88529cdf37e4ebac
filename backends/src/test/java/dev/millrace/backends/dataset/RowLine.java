package dev.millrace.backends.dataset;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Rows as SWE-rebench V2 publishes them, to be varied by tests. */
final class RowLine {
    static final ObjectMapper JSON = new ObjectMapper();
    static final String TEST_PATCH =
            """
            diff --git a/tests/test_sums.py b/tests/test_sums.py
            --- a/tests/test_sums.py
            +++ b/tests/test_sums.py
            @@ -1 +1,2 @@
             import sums
            +import os
            """;

    private RowLine() {}

    static ObjectNode rebench(String id, String repo) {
        ObjectNode row = JSON.createObjectNode();
        row.put("instance_id", id).put("repo", repo).put("base_commit", "c0ffee1");
        row.put("patch", "").put("test_patch", TEST_PATCH).put("problem_statement", "Grüße.");
        row.putArray("FAIL_TO_PASS").add("tests/test_sums.py::test_adds");
        row.putArray("PASS_TO_PASS");
        row.put("language", "python").put("license", "MIT").put("created_at", 1700000000000L);
        row.put("image_name", "docker.io/swerebenchv2/org-sums:1-c0ffee1");
        ObjectNode install = row.putObject("install_config");
        install.put("test_cmd", "pytest -rA").put("log_parser", "parse_log_pytest");
        ObjectNode metadata = row.putObject("meta").putObject("llm_metadata");
        metadata.put("code", "A").putObject("detected_issues").put("B1", false);
        return row;
    }
}
