package dev.millrace.pipeline.settings;

import java.io.Serializable;
import java.util.LinkedHashMap;

/** How agents work; only for policies that write text. All but the format is mini-swe-agent's. */
public record AgentSettings(
        @Setting(
                        about =
                                "`tool` calls the tool bash and ends with an answer without a call;"
                                    + " `mini_swe_agent` works as mini-swe-agent does: every turn"
                                    + " acts, and a command's output ends the work. The other"
                                    + " settings here are for `mini_swe_agent`",
                        byDefault = "tool")
                Format format,
        @Setting(
                        about =
                                "how a turn acts: `tool_call` calls the tool bash, once or several"
                                        + " times; `fenced` writes one block of text",
                        byDefault = "tool_call")
                Actions actions,
        @Setting(
                        about = "name of the block, for `fenced`",
                        byDefault = "mswea_bash_command",
                        pattern = "[A-Za-z0-9_-]{1,60}",
                        patternAbout = "1 to 60 letters, digits, underscores and hyphens")
                String fence,
        @Setting(
                        about =
                                "a turn that can't be parsed: `drop` takes it out of the"
                                    + " conversation, so that it is not trained on either, `keep`"
                                    + " leaves it there; both tell the policy what was wrong",
                        byDefault = "drop")
                MalformedTurns malformedTurns,
        @Setting(
                        about = "variables that commands run with, separated by commas",
                        byDefault =
                                "PAGER=cat,MANPAGER=cat,LESS=-R,PIP_PROGRESS_BAR=off,TQDM_DISABLE=1",
                        pattern = "([A-Za-z_][A-Za-z0-9_]*=[^,]*(,[A-Za-z_][A-Za-z0-9_]*=[^,]*)*)?",
                        patternAbout = "NAME=value, separated by commas")
                String environment,
        @Setting(
                        about =
                                "most that an agent can hand in, KiB; of what is longer, nothing is"
                                        + " kept",
                        byDefault = "1024",
                        min = "1",
                        max = "65536")
                int submissionKb,
        @Setting(about = "file of the system template; empty for the project's own", byDefault = "")
                String systemTemplate,
        @Setting(
                        about = "file of the template of the task; empty for the project's own",
                        byDefault = "")
                String instanceTemplate,
        @Setting(
                        about = "file of the template of observations; empty for the project's own",
                        byDefault = "")
                String observationTemplate,
        @Setting(
                        about =
                                "file of the template that answers turns that can't be parsed;"
                                        + " empty for the project's own",
                        byDefault = "")
                String formatErrorTemplate)
        implements Serializable {

    /** Ways to work. */
    public enum Format {
        /** Calls until there is an answer without one. */
        TOOL,
        /** Actions until a command hands the work in. */
        MINI_SWE_AGENT
    }

    /** How an action is written. */
    public enum Actions {
        /** A call of the tool bash. */
        TOOL_CALL,
        /** A block of text. */
        FENCED
    }

    /** What becomes of turns that can't be parsed. */
    public enum MalformedTurns {
        /** They leave the conversation. */
        DROP,
        /** They stay. */
        KEEP
    }

    /** Variables of commands, in their order. */
    public LinkedHashMap<String, String> variables() {
        LinkedHashMap<String, String> variables = new LinkedHashMap<>();
        if (!environment.isEmpty()) {
            for (String each : environment.split(",", -1)) {
                int equals = each.indexOf('=');
                variables.put(each.substring(0, equals), each.substring(equals + 1));
            }
        }
        return variables;
    }

    /** Whether agents work in mini-swe-agent's way. */
    public boolean isMiniSweAgent() {
        return format == Format.MINI_SWE_AGENT;
    }
}
