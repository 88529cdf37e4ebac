package dev.millrace.backends.harbor;

/**
 * What is done between the end of a test script and the reading of its reward. Code of the agent
 * that the tests ran may have left processes; they are looked at for a moment, then killed, and the
 * reward must not have changed meanwhile.
 */
enum VerifierSeal {
    /** Nothing was left. */
    QUIET(0),
    /** Processes were left, and touched nothing. */
    LEFT_PROCESSES(10),
    /** The reward was written when the tests were over. */
    TAMPERED(11),
    /** What was left could not be killed. */
    NOT_QUIET(12);

    /**
     * Half a second is 50 times the period of a writer every 10 ms. Processes of another user are
     * the sandbox's own: nothing that runs in one can become another user.
     */
    static final String SCRIPT =
            """
            me=$(exec sh -c 'echo $PPID')
            own=" 1 "
            p=$me
            uid=
            while [ "$p" -gt 1 ]; do
              own="$own$p "
              next=0
              while read -r k v r; do
                case "$k" in PPid:) next=$v ;; Uid:) uid=${uid:-$v} ;; esac
              done < /proc/$p/status
              p=$next
            done
            others() {
              found=
              for dir in /proc/[0-9]*; do
                id=${dir#/proc/}
                case "$own" in *" $id "*) continue ;; esac
                state=Z
                user=
                while read -r k v r; do
                  case "$k" in State:) state=$v ;; Uid:) user=$v; break ;; esac
                done 2>/dev/null < "$dir/status"
                [ "$state" = Z ] || [ "$user" != "$uid" ] || found="$found $id"
              done
            }
            shot() {
              stat -c '%d %i %F' /logs /logs/verifier 2>&1
              stat -c '%d %i %s %y %z %F' /logs/verifier/reward.txt 2>&1
              stat -c '%d %i %s %y %z %F' /logs/verifier/reward.json 2>&1
            }
            others
            [ -z "$found" ] && exit 0
            before=$(shot)
            sleep 0.5
            after=$(shot)
            code=10
            [ "$before" = "$after" ] || code=11
            round=0
            while others; [ -n "$found" ]; do
              [ $round -gt 200 ] && exit 12
              round=$((round + 1))
              kill -9 $found 2>/dev/null
            done
            exit $code
            """;

    private final int exitCode;

    VerifierSeal(int exitCode) {
        this.exitCode = exitCode;
    }

    /** By the script's exit code; one that it doesn't know means that it was kept from its work. */
    static VerifierSeal of(int exitCode) {
        for (VerifierSeal seal : values()) {
            if (seal.exitCode == exitCode) {
                return seal;
            }
        }
        return NOT_QUIET;
    }
}
