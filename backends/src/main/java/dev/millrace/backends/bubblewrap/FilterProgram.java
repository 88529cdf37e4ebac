package dev.millrace.backends.bubblewrap;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of the kernel's classic packet filter over a system call, as seccomp takes it: written
 * from top to bottom, every test jumps over what directly follows it.
 */
final class FilterProgram {
    /** Where the number of the system call lies in what a program looks at. */
    static final int NUMBER = 0;

    /** Where the architecture lies. */
    static final int ARCHITECTURE = 4;

    static final int ALLOW = 0x7fff0000;
    private static final int ERRNO = 0x00050000;

    private static final int LOAD = 0x20;
    private static final int RETURN = 0x06;
    private static final int IF_EQUAL = 0x15;
    private static final int IF_AT_LEAST = 0x35;
    private static final int IF_ANY_BIT = 0x45;
    private static final int INSTRUCTION_BYTES = 8;

    private record Instruction(int code, int yes, int no, int value) {}

    private final List<Instruction> instructions = new ArrayList<>();

    /** Where the lower half of an argument lies; both architectures here are little-endian. */
    static int argument(int index) {
        return 16 + 8 * index;
    }

    FilterProgram load(int offset) {
        return add(LOAD, 0, 0, offset);
    }

    /** Skips the next instructions unless what was loaded is the value. */
    FilterProgram unlessEqualSkip(int value, int instructionsToSkip) {
        return add(IF_EQUAL, 0, instructionsToSkip, value);
    }

    /** Skips the next instructions if what was loaded is the value. */
    FilterProgram ifEqualSkip(int value, int instructionsToSkip) {
        return add(IF_EQUAL, instructionsToSkip, 0, value);
    }

    /** Skips the next instructions if what was loaded is smaller, both without sign. */
    FilterProgram ifBelowSkip(int value, int instructionsToSkip) {
        return add(IF_AT_LEAST, 0, instructionsToSkip, value);
    }

    /** Skips the next instructions if what was loaded has none of the bits. */
    FilterProgram ifNoneOfSkip(int bits, int instructionsToSkip) {
        return add(IF_ANY_BIT, 0, instructionsToSkip, bits);
    }

    FilterProgram allow() {
        return add(RETURN, 0, 0, ALLOW);
    }

    /** The call is not carried out and fails with an error number. */
    FilterProgram refuse(int errno) {
        return add(RETURN, 0, 0, ERRNO | errno);
    }

    /** Puts a program of its own behind this one. */
    FilterProgram then(FilterProgram other) {
        instructions.addAll(other.instructions);
        return this;
    }

    int length() {
        return instructions.size();
    }

    /** As the kernel reads it: code, two jumps, value. */
    byte[] bytes() {
        ByteBuffer bytes =
                ByteBuffer.allocate(INSTRUCTION_BYTES * instructions.size())
                        .order(ByteOrder.LITTLE_ENDIAN);
        for (Instruction each : instructions) {
            bytes.putShort((short) each.code());
            bytes.put((byte) each.yes()).put((byte) each.no()).putInt(each.value());
        }
        return bytes.array();
    }

    private FilterProgram add(int code, int yes, int no, int value) {
        instructions.add(new Instruction(code, yes, no, value));
        return this;
    }
}
