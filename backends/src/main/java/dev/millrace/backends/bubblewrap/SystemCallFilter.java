package dev.millrace.backends.bubblewrap;

import java.util.List;

/**
 * What a sandbox may not ask the kernel for: mounts, namespaces, other processes' memory, kernel
 * modules and programs, keys, asynchronous rings, raw sockets and terminal injection. Everything
 * else is allowed; a program that is refused something gets an error and goes on.
 */
final class SystemCallFilter {
    private static final int SUCCESS = 0;
    private static final int EPERM = 1;
    private static final int ENOSYS = 38;
    private static final int EAFNOSUPPORT = 97;

    /** Mount, control group, host name, IPC, user, process and network namespace. */
    private static final int NEW_NAMESPACE = 0x7E020000;

    /** Puts characters into a terminal, as if somebody typed them. */
    private static final int TIOCSTI = 0x5412;

    private static final int TIOCLINUX = 0x541C;

    private static final int AF_UNIX = 1;
    private static final int AF_INET = 2;
    private static final int AF_INET6 = 10;
    private static final int AF_NETLINK = 16;
    private static final int NETLINK_ROUTE = 0;

    /** Linux, 32 bits of Linux, each also with an old version number; and the question for it. */
    private static final int[] PERSONALITIES = {0, 0x8, 0x20000, 0x20008, -1};

    private SystemCallFilter() {}

    /**
     * The filter as bubblewrap takes it.
     *
     * @param tracing whether processes may trace each other, as debuggers and leak checkers do
     */
    static byte[] of(SystemCalls calls, boolean tracing) {
        return rules(calls, tracing, List.of());
    }

    /**
     * The same for a sandbox with a single user that is called root: calls that would change owners
     * say that they have, and do nothing, as there is nobody else.
     */
    static byte[] forRoot(SystemCalls calls, boolean tracing) {
        return rules(calls, tracing, calls.ownership());
    }

    private static byte[] rules(SystemCalls calls, boolean tracing, List<Integer> pretended) {
        FilterProgram program =
                new FilterProgram()
                        .load(FilterProgram.ARCHITECTURE)
                        .ifEqualSkip(calls.architecture(), 1)
                        .refuse(ENOSYS)
                        .load(FilterProgram.NUMBER);
        if (calls.foreignFrom() != -1) {
            program.ifBelowSkip(calls.foreignFrom(), 1).refuse(ENOSYS);
        }
        for (int number : calls.refused()) {
            program.unlessEqualSkip(number, 1).refuse(EPERM);
        }
        for (int number : pretended) {
            program.unlessEqualSkip(number, 1).refuse(SUCCESS);
        }
        if (!tracing) {
            program.unlessEqualSkip(calls.ptrace(), 1).refuse(EPERM);
        }
        // Libraries fall back to the older call, whose flags can be seen.
        program.unlessEqualSkip(calls.clone3(), 1).refuse(ENOSYS);
        when(program, calls.cloning(), namespaces());
        when(program, calls.personality(), personalities());
        when(program, calls.ioctl(), terminals());
        when(program, calls.socket(), sockets());
        return program.allow().bytes();
    }

    /** Lets a call be judged by its arguments; the judgement has to come to an end. */
    private static void when(FilterProgram program, int number, FilterProgram judgement) {
        program.unlessEqualSkip(number, judgement.length()).then(judgement);
    }

    private static FilterProgram namespaces() {
        return new FilterProgram()
                .load(FilterProgram.argument(0))
                .ifNoneOfSkip(NEW_NAMESPACE, 1)
                .refuse(EPERM)
                .allow();
    }

    private static FilterProgram personalities() {
        FilterProgram judgement = new FilterProgram().load(FilterProgram.argument(0));
        for (int allowed : PERSONALITIES) {
            judgement.unlessEqualSkip(allowed, 1).allow();
        }
        return judgement.refuse(EPERM);
    }

    private static FilterProgram terminals() {
        return new FilterProgram()
                .load(FilterProgram.argument(1))
                .unlessEqualSkip(TIOCSTI, 1)
                .refuse(EPERM)
                .unlessEqualSkip(TIOCLINUX, 1)
                .refuse(EPERM)
                .allow();
    }

    /** Routing netlink is how libraries list network interfaces. */
    private static FilterProgram sockets() {
        FilterProgram judgement = new FilterProgram().load(FilterProgram.argument(0));
        for (int family : new int[] {AF_UNIX, AF_INET, AF_INET6}) {
            judgement.unlessEqualSkip(family, 1).allow();
        }
        return judgement
                .unlessEqualSkip(AF_NETLINK, 3)
                .load(FilterProgram.argument(2))
                .unlessEqualSkip(NETLINK_ROUTE, 1)
                .allow()
                .refuse(EAFNOSUPPORT);
    }
}
