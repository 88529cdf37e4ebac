package dev.millrace.backends.docker;

import dev.millrace.backends.port.ExecRequest;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The script around a command. It joins output and errors in the order in which they are written,
 * and reports on the other stream, when the command is over, how often the kernel has killed for
 * memory and refused a process. It runs as the agent does, who can make it lie, about nothing but
 * the agent's own commands.
 */
final class Wrapper {
    private static final String SCRIPT =
            """
            exec 3>&2 2>/dev/null </dev/null
            count() { n=0; for f in "$2" "$3"; do
            [ -r "$f" ] && while read -r k v; do [ "$k" = "$1" ] && n=$v; done <"$f"; done; }
            ( exec 2>&1 3>&-
            cd -- "$3" || exit 1
            { echo 500 >/proc/self/oom_score_adj; } 2>/dev/null
            exec "$1" -c "$2" )
            code=$?
            g=/sys/fs/cgroup
            count oom_kill $g/memory/memory.oom_control $g/memory.events
            kills=$n
            count max $g/pids/pids.events $g/pids.events
            echo "end $kills $n" >&3
            exit $code
            """;

    private static final Pattern REPORT = Pattern.compile("end ([0-9]{1,9}) ([0-9]{1,9})\n");

    private Wrapper() {}

    static List<String> around(ExecRequest request, String shell, String workdir) {
        String folder = request.workdir().isEmpty() ? workdir : request.workdir();
        return List.of("/bin/sh", "-c", SCRIPT, "sh", shell, request.command(), folder);
    }

    /**
     * Counts since the container began.
     *
     * @param over whether the command is over
     */
    record Report(boolean over, int memoryKills, int refusedProcesses) {
        private static final int NOBODY_COUNTED = Integer.MAX_VALUE;

        static final Report NONE = new Report(false, 0, 0);

        /** Of a time when nobody could count: what comes next is not told from what was before. */
        static final Report UNKNOWN = new Report(false, NOBODY_COUNTED, NOBODY_COUNTED);

        boolean memoryKillsSince(Report before) {
            return rose(before.memoryKills, memoryKills);
        }

        boolean refusedProcessesSince(Report before) {
            return rose(before.refusedProcesses, refusedProcesses);
        }

        /** A container that was restarted counts from nothing again. */
        private static boolean rose(int then, int now) {
            return then != NOBODY_COUNTED && (now > then || (now < then && now > 0));
        }
    }

    static Report read(String text) {
        Matcher found = REPORT.matcher(text);
        return found.find()
                ? new Report(
                        true, Integer.parseInt(found.group(1)), Integer.parseInt(found.group(2)))
                : Report.NONE;
    }
}
