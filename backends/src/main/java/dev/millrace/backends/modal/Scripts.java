package dev.millrace.backends.modal;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Shell text that runs inside, as root, around what belongs to the commands' user. What is recorded
 * lies in a folder that only root can enter: the fence of the owner, what the sandbox must be, and
 * the ids of the commands that were started.
 */
final class Scripts {
    /** Variable with the id of the command to be recorded; not seen by the command. */
    static final String ID = "MILLRACE_COMMAND";

    /** Variable with the fence of who asks; not seen by the command. */
    static final String FENCE = "MILLRACE_FENCE";

    /** What is reported instead of running a command of an owner of the past. */
    static final String FENCED = "fenced";

    /** Folder of commands that look for their settings in one. */
    static final String HOME = "/home/sandbox";

    /** An init that collects what is orphaned, and waits for the end. */
    static final List<String> KEEPER =
            List.of("/bin/sh", "-c", "while :; do tail -f /dev/null & wait $!; done");

    /** What must be found, whatever the sandbox's own variables say. */
    private static final String TOOLS =
            "path=$PATH; PATH=$PATH:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin\n";

    private static final String DROP =
            "setpriv --reuid \"$1\" --regid \"$2\" --clear-groups --no-new-privs --inh-caps=-all"
                    + " --bounding-set=-all";

    private static final String RECORDS = "records=/var/lib/millrace\n";

    private static final String PREPARE =
            TOOLS
                    + RECORDS
                    + """
                    umask 022; set -e
                    mkdir -p "$records"; chmod 700 "$records"
                    : >>"$records/executed"; echo "$5" >"$records/fence"
                    printf '%s\\n' "$6" >"$records/spec"
                    [ -k / ] || chmod 1777 /
                    for d in "$3" "$4"; do mkdir -p "$d"; done
                    [ "$(stat -c %u "$3")" = "$1" ] || chown -R "$1:$2" "$3"
                    chown "$1:$2" "$4"
                    """
                    + "prlimit --nproc=64 "
                    + DROP
                    + " true";

    private static final String TAKE_OVER =
            RECORDS
                    + """
                    old=$(cat "$records/fence") || exit 1
                    [ "$old" -le "$1" ] || { echo fenced >&2; exit 1; }
                    echo "$1" >"$records/fence" && cat "$records/spec" "$records/executed"
                    """;

    private static final String COMMAND =
            """
            exec 3>&2 2>/dev/null
            """
                    + TOOLS
                    + RECORDS
                    + """
                    read -r fence <"$records/fence"
                    [ "${fence:-0}" -le "$MILLRACE_FENCE" ] || { echo fenced >&3; exit 1; }
                    echo "$MILLRACE_COMMAND" >>"$records/executed"
                    command=$4
                    [ -n "$command" ] || { command=$(cat; echo .); command=${command%.}; }
                    exec </dev/null
                    cd -- "$5" || exit 1
                    exec 2>&1 3>&-
                    unset MILLRACE_COMMAND MILLRACE_FENCE
                    """
                    + "exec prlimit --core=0 --nofile=1024 --fsize=\"$6\" --nproc=\"$7\" "
                    + DROP
                    + " env ${path:+\"PATH=$path\"} \"$3\" -c \"$command\"";

    /** Kills until nothing of the user is there to be seen. */
    private static final String KILL =
            TOOLS
                    + """
                    round=0
                    while [ $round -lt 50 ]; do
                    """
                    + "  "
                    + DROP
                    + " /bin/sh -c 'kill -9 -1' 2>/dev/null\n"
                    + """
                      left=
                      for file in /proc/[0-9]*/status; do
                        state=
                        while read -r key value rest; do
                          case $key in
                            State:) state=$value ;;
                            Uid:) [ "$value" = "$1" ] && [ "$state" != Z ] && left=1 ;;
                          esac
                        done <"$file"
                      done 2>/dev/null
                      [ -n "$left" ] || exit 0
                      round=$((round + 1)); sleep 0.1
                    done
                    exit 1
                    """;

    private static final String FOLDERS =
            """
            umask 022
            user=$1; shift
            for d in "$@"; do
              [ -d "$d" ] || { mkdir -- "$d" && chown "$user" "$d"; } || exit 1
            done
            """;

    private static final String PACK =
            """
            [ -d "$1" ] && [ ! -L "$1" ] || { echo absent >&2; exit 0; }
            cd -- "$1" || exit 1
            { tar -cf - . 2>/dev/null; echo "packed $?" >&2; } | head -c "$2"
            """;

    private static final List<String> UNPACK = List.of("tar", "-xf", "-", "-C", "/");
    private static final long MIB = 1L << 20;

    private Scripts() {}

    private static List<String> shell(String text, String... arguments) {
        List<String> words = new ArrayList<>(List.of("/bin/sh", "-c", text, "sh"));
        words.addAll(List.of(arguments));
        return words;
    }

    /** Makes a fresh sandbox ready, and finds out whether its image has what is needed. */
    static List<String> prepare(ModalSettings settings, SandboxSpec spec) {
        return shell(
                PREPARE,
                settings.uid(),
                settings.gid(),
                spec.workdir(),
                HOME,
                Long.toString(spec.lease().fence()),
                SpecText.write(spec));
    }

    /** Shuts out owners with lower fences, and prints what it is and what was executed. */
    static List<String> takeOver(long fence) {
        return shell(TAKE_OVER, Long.toString(fence));
    }

    /**
     * A command of the sandbox's user, with its output and errors joined in the order in which they
     * are written.
     *
     * @param inWords false where it is given by standard input, because it is long
     */
    static List<String> command(
            ModalSettings settings,
            SandboxLimits limits,
            ExecRequest request,
            String workdir,
            boolean inWords) {
        return shell(
                COMMAND,
                settings.uid(),
                settings.gid(),
                settings.shell(),
                inWords ? request.command().replace("\0", "") : "",
                request.workdir().isEmpty() ? workdir : request.workdir(),
                Long.toString(limits.diskMb() * MIB),
                Integer.toString(limits.processes()));
    }

    /** Ends all of the commands' user; succeeds when nothing of it is left. */
    static List<String> kill(ModalSettings settings) {
        return shell(KILL, settings.uid(), settings.gid());
    }

    /** Makes those folders that are missing, parents first. */
    static List<String> folders(ModalSettings settings, List<String> folders) {
        List<String> words = shell(FOLDERS, settings.user());
        words.addAll(folders);
        return words;
    }

    /** Packs a folder that is no link, and stops behind that many bytes. */
    static List<String> pack(String folder, long mostBytes) {
        return shell(PACK, folder, Long.toString(mostBytes));
    }

    /** Unpacks an archive of paths from the top. */
    static List<String> unpack() {
        return UNPACK;
    }
}
