package dev.millrace.backends.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import dev.millrace.udfs.dataset.DatasetRow;
import dev.millrace.udfs.dataset.RowQuality;
import java.util.Locale;
import java.util.regex.Pattern;

/** Datasets whose rows can be read. */
public enum RowFormat {
    /** Says itself what a row is. */
    AUTO,
    /** SWE-rebench V2: rows bring their image, their test command and their log parser. */
    SWE_REBENCH_V2,
    /** SWE-Gym, as itself or wrapped as SkyRL does. */
    SWE_GYM,
    /** SWE-bench. */
    SWE_BENCH;

    private static final Pattern REPO = Pattern.compile("[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+");
    private static final Pattern COMMIT = Pattern.compile("[0-9a-fA-F]{7,64}");
    private static final String TESTBED = "/testbed";

    /**
     * Reads a row.
     *
     * @param commands for rows that leave it to a harness how their tests run
     * @throws RowException when it can't be understood
     */
    DatasetRow read(JsonNode node, TestCommands commands) throws RowException {
        if (!node.isObject()) {
            throw new RowException("a row is an object");
        }
        JsonNode wrapped = node.path("metadata").path("instance");
        JsonNode inner = wrapped.isObject() ? wrapped : node.path("instance");
        JsonNode row = inner.isObject() ? inner : node;
        boolean gym = inner.isObject() || this == SWE_GYM;
        boolean rebench =
                this == SWE_REBENCH_V2
                        || (this == AUTO && (row.has("install_config") || row.has("image_name")));
        if (rebench && !gym) {
            return rebench(row);
        }
        String image = RowFields.text(node.path("metadata"), "base_image");
        return plain(row, image.isEmpty() ? image(row, gym) : image, commands);
    }

    private static String image(JsonNode row, boolean gym) throws RowException {
        String given = RowFields.text(row, "image_name");
        if (!given.isEmpty()) {
            return given;
        }
        String id = RowFields.required(row, "instance_id").toLowerCase(Locale.ROOT);
        return gym
                ? "xingyaoww/sweb.eval.x86_64." + id.replace("__", "_s_") + ":latest"
                : "swebench/sweb.eval.x86_64." + id.replace("__", "_1776_") + ":latest";
    }

    private static DatasetRow rebench(JsonNode row) throws RowException {
        JsonNode install = RowFields.object(row.path("install_config"));
        JsonNode meta = RowFields.object(row.path("meta"));
        String repo = repo(row);
        return row(
                row,
                RowFields.text(row, "language"),
                RowFields.text(row, "image_name"),
                "/" + repo.substring(repo.indexOf('/') + 1),
                RowFields.command(install.path("test_cmd")),
                RowFields.text(install, "log_parser"),
                install.toString(),
                quality(RowFields.object(meta.path("llm_metadata"))));
    }

    private static RowQuality quality(JsonNode metadata) {
        boolean detected = false;
        for (JsonNode issue : metadata.path("detected_issues")) {
            detected |= truthy(issue);
        }
        return new RowQuality(RowFields.text(metadata, "code").strip(), detected);
    }

    private static boolean truthy(JsonNode value) {
        if (value.isTextual() || value.isContainerNode()) {
            return value.isTextual() ? !value.asText().isEmpty() : !value.isEmpty();
        }
        return value.isNumber() ? value.asDouble() != 0 : value.asBoolean();
    }

    /**
     * Rows that may leave it to a harness how tests are run; without a command, if it is unknown.
     */
    private static DatasetRow plain(JsonNode row, String image, TestCommands commands)
            throws RowException {
        String own = RowFields.command(row.path("test_cmd"));
        String parser = RowFields.text(row, "log_parser");
        TestCommands.TestCommand known =
                commands.of(
                                repo(row),
                                RowFields.text(row, "version"),
                                RowFields.text(row, "test_patch"))
                        .orElse(new TestCommands.TestCommand("", "parse_log_pytest"));
        return row(
                row,
                "python",
                image,
                TESTBED,
                own.isEmpty() ? known.command() : own,
                parser.isEmpty() ? known.parser() : parser,
                "{}",
                null);
    }

    private static DatasetRow row(
            JsonNode row,
            String language,
            String image,
            String workdir,
            String command,
            String parser,
            String install,
            RowQuality quality)
            throws RowException {
        String commit = RowFields.required(row, "base_commit");
        if (!COMMIT.matcher(commit).matches()) {
            throw new RowException("'base_commit' is no commit: '" + commit + "'");
        }
        return new DatasetRow(
                RowFields.required(row, "instance_id"),
                repo(row),
                commit,
                RowFields.text(row, "patch"),
                RowFields.text(row, "test_patch"),
                RowFields.required(row, "problem_statement"),
                RowFields.names(row, "FAIL_TO_PASS"),
                RowFields.names(row, "PASS_TO_PASS"),
                language,
                RowFields.text(row, "license"),
                RowFields.text(row, "created_at"),
                RowFields.text(row, "version"),
                RowFields.text(row, "environment_setup_commit"),
                RowFields.text(row, "hints_text"),
                image,
                workdir,
                command,
                parser,
                install,
                quality);
    }

    private static String repo(JsonNode row) throws RowException {
        String repo = RowFields.required(row, "repo");
        String name = repo.substring(repo.indexOf('/') + 1);
        if (!REPO.matcher(repo).matches() || name.equals(".") || name.equals("..")) {
            throw new RowException("'repo' is no owner/name: '" + repo + "'");
        }
        return repo;
    }
}
