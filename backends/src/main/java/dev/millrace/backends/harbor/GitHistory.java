package dev.millrace.backends.harbor;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.TaskEnvironment;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Repositories in an environment may hold what comes after the state the agent starts from, the
 * answer among it. Before an agent sees them everything goes that its current commit doesn't reach:
 * other branches, tags, remotes, stashes, reference logs, loose objects. A task about a
 * repository's history keeps it.
 */
final class GitHistory {
    private static final int OUTPUT_BYTES = 4000;
    private static final Pattern SUBJECT =
            Pattern.compile(
                    "\\bgit\\s+(log|reflog|stash|show|checkout|switch|merge|rebase|cherry-pick|fsck"
                            + "|branch|reset|bisect|revert|tag|config|remote|push|pull|fetch|hook)"
                            + "\\b|\\breflog\\b|\\bbranch(es)?\\b|\\bhooks?/");

    /** For each repository of the working folder. Objects left over are a failure. */
    private static final String TRIM =
            """
            find . -name .git -type d -prune -print | while read -r dir; do
              (
                set -e
                export GIT_DIR="$PWD/$dir" GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0
                git rev-parse -q --verify HEAD >/dev/null 2>&1 || exit 0
                head=$(git symbolic-ref -q HEAD || true)
                git for-each-ref --format='%(refname)' | while read -r ref; do
                  [ "$ref" = "$head" ] || git update-ref -d "$ref"
                done
                for name in $(git remote); do git remote remove "$name"; done
                rm -rf "$GIT_DIR/logs" "$GIT_DIR/ORIG_HEAD" "$GIT_DIR/FETCH_HEAD"
                rm -rf "$GIT_DIR/MERGE_HEAD" "$GIT_DIR/refs/stash" "$GIT_DIR/worktrees"
                rm -f "$GIT_DIR/objects/info/alternates"
                git -c gc.reflogExpire=now repack -q -a -d
                git prune --expire=now
                [ -z "$(git fsck --unreachable --no-reflogs 2>/dev/null)" ]
              ) || exit 1
            done
            """;

    private GitHistory() {}

    /** Whether a task is about the history of a repository. */
    static boolean isSubject(HarborTask task) {
        return Stream.concat(
                        Stream.of(task.instruction()),
                        task.solution().stream()
                                .map(f -> new String(f.content(), StandardCharsets.UTF_8)))
                .anyMatch(text -> SUBJECT.matcher(text).find());
    }

    /**
     * Trims the repositories that a prepared environment has in its working folder.
     *
     * @throws SandboxException of kind IMAGE when that can't be done
     */
    static void trim(HarborTask task, Sandbox sandbox) throws SandboxException {
        if (!mayHaveOne(task.environment()) || isSubject(task)) {
            return;
        }
        ExecResult result =
                sandbox.exec(
                        new ExecRequest(
                                TaskEnvironment.OWN + "history",
                                TRIM,
                                task.workdir(),
                                Map.of(),
                                task.environment().buildTimeoutMillis(),
                                OUTPUT_BYTES));
        if (result.exitCode() != 0) {
            String output = new String(result.output(), StandardCharsets.UTF_8).strip();
            throw new SandboxException(
                    SandboxException.Kind.IMAGE,
                    "the history of a repository in the environment can't be trimmed: " + output);
        }
    }

    private static boolean mayHaveOne(EnvironmentPlan plan) {
        return plan.hasImage()
                || plan.steps().stream()
                        .anyMatch(
                                step ->
                                        step.command().contains("git")
                                                || step.files().stream()
                                                        .anyMatch(f -> f.path().contains(".git/")));
    }
}
