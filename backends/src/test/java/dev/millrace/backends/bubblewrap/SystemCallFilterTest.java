package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The filter as the kernel would run it, on a machine of a few lines. */
class SystemCallFilterTest {
    private static final int ALLOWED = FilterProgram.ALLOW;
    private static final int NOT_PERMITTED = 0x50001;
    private static final int NOT_KNOWN = 0x50026;
    private static final int NO_FAMILY = 0x50061;
    private static final SystemCalls X86 = SystemCalls.X86_64;
    private static final SystemCalls ARM = SystemCalls.AARCH64;

    static Stream<Arguments> calls() {
        int user = 0x10000000;
        int threads = 0x3d0f00;
        return Stream.of(
                Arguments.of("read", X86, 0, new long[] {0, 0, 0}, ALLOWED),
                Arguments.of("mount", X86, 165, new long[] {0, 0, 0}, NOT_PERMITTED),
                Arguments.of("mount", ARM, 40, new long[] {0, 0, 0}, NOT_PERMITTED),
                Arguments.of("fchownat of arm", ARM, 54, new long[] {0, 0, 0}, ALLOWED),
                Arguments.of("ptrace", X86, 101, new long[] {16, 1, 0}, NOT_PERMITTED),
                Arguments.of("clone of a thread", X86, 56, new long[] {threads, 0, 0}, ALLOWED),
                Arguments.of("clone with fork's flags", X86, 56, new long[] {17, 0, 0}, ALLOWED),
                Arguments.of("clone, users", X86, 56, new long[] {user | 17, 0, 0}, NOT_PERMITTED),
                Arguments.of("clone, users", ARM, 220, new long[] {user, 0, 0}, NOT_PERMITTED),
                Arguments.of("clone3", X86, 435, new long[] {1, 2, 3}, NOT_KNOWN),
                Arguments.of("read of x32", X86, 0x40000000, new long[] {0, 0, 0}, NOT_KNOWN),
                Arguments.of("personality asked", X86, 135, new long[] {-1, 0, 0}, ALLOWED),
                Arguments.of(
                        "personality asked", X86, 135, new long[] {0xffffffffL, 0, 0}, ALLOWED),
                Arguments.of("not random", X86, 135, new long[] {0x40000, 0, 0}, NOT_PERMITTED),
                Arguments.of("TIOCGWINSZ", X86, 16, new long[] {0, 0x5413, 0}, ALLOWED),
                Arguments.of("TIOCSTI", X86, 16, new long[] {0, 0x5412, 0}, NOT_PERMITTED),
                Arguments.of(
                        "TIOCSTI with more above",
                        X86,
                        16,
                        new long[] {0, 0x100005412L, 0},
                        NOT_PERMITTED),
                Arguments.of("TIOCLINUX", ARM, 29, new long[] {0, 0x541C, 0}, NOT_PERMITTED),
                Arguments.of("socket, TCP", X86, 41, new long[] {2, 1, 0}, ALLOWED),
                Arguments.of("socket, local", X86, 41, new long[] {1, 1, 0}, ALLOWED),
                Arguments.of("socket, packets", X86, 41, new long[] {17, 3, 0}, NO_FAMILY),
                Arguments.of("socket, routes", X86, 41, new long[] {16, 3, 0}, ALLOWED),
                Arguments.of("socket, netfilter", X86, 41, new long[] {16, 3, 12}, NO_FAMILY),
                Arguments.of("socket, VM", ARM, 198, new long[] {40, 1, 0}, NO_FAMILY),
                Arguments.of("io_uring_setup", ARM, 425, new long[] {1, 0, 0}, NOT_PERMITTED));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void judges(String name, SystemCalls calls, int number, long[] arguments, int verdict) {
        byte[] filter = SystemCallFilter.of(calls, false);
        assertThat(run(filter, calls.architecture(), number, arguments)).isEqualTo(verdict);
    }

    @Test
    void everyCallOfAnotherArchitectureIsUnknown() {
        byte[] filter = SystemCallFilter.of(X86, false);
        assertThat(run(filter, ARM.architecture(), 63, 0, 0, 0)).isEqualTo(NOT_KNOWN);
        // 32 bits of x86, where 1 is exit and 165 is something harmless.
        assertThat(run(filter, 0x40000003, 1, 0, 0, 0)).isEqualTo(NOT_KNOWN);
    }

    @Test
    void processesMayTraceEachOtherWhereThatIsWanted() {
        byte[] filter = SystemCallFilter.of(X86, true);
        assertThat(run(filter, X86.architecture(), X86.ptrace(), 16, 1, 0)).isEqualTo(ALLOWED);
        assertThat(run(filter, X86.architecture(), 165, 0, 0, 0)).isEqualTo(NOT_PERMITTED);
    }

    @Test
    void changesOfOwnersSucceedWithoutEffectForTheRootOfAnImageOnly() {
        int succeeds = 0x00050000;
        for (SystemCalls calls : new SystemCalls[] {X86, ARM}) {
            byte[] root = SystemCallFilter.forRoot(calls, false);
            byte[] others = SystemCallFilter.of(calls, false);
            for (int number : calls.ownership()) {
                assertThat(run(root, calls.architecture(), number, 1, 2, 3)).isEqualTo(succeeds);
                assertThat(run(others, calls.architecture(), number, 1, 2, 3)).isEqualTo(ALLOWED);
            }
            assertThat(run(root, calls.architecture(), calls.ptrace(), 16, 1, 0))
                    .isEqualTo(NOT_PERMITTED);
        }
    }

    @Test
    void aProcessorThatIsNotKnownHasNoFilter() {
        assertThat(SystemCalls.of("s390x")).isEmpty();
        assertThat(SystemCalls.of("amd64")).contains(X86);
    }

    /** Runs a program until it returns. */
    private static int run(byte[] program, int architecture, int number, long... arguments) {
        ByteBuffer data = ByteBuffer.allocate(64).order(ByteOrder.LITTLE_ENDIAN);
        data.putInt(number).putInt(architecture).putLong(0);
        for (long argument : arguments) {
            data.putLong(argument);
        }
        ByteBuffer code = ByteBuffer.wrap(program).order(ByteOrder.LITTLE_ENDIAN);
        int loaded = 0;
        for (int at = 0; ; at++) {
            int what = code.getShort(8 * at);
            int yes = code.get(8 * at + 2) & 0xff;
            int no = code.get(8 * at + 3) & 0xff;
            int value = code.getInt(8 * at + 4);
            switch (what) {
                case 0x20 -> loaded = data.getInt(value);
                case 0x06 -> {
                    return value;
                }
                case 0x15 -> at += loaded == value ? yes : no;
                case 0x35 -> at += Integer.compareUnsigned(loaded, value) >= 0 ? yes : no;
                case 0x45 -> at += (loaded & value) != 0 ? yes : no;
                default -> throw new AssertionError("no such instruction: " + what);
            }
        }
    }
}
