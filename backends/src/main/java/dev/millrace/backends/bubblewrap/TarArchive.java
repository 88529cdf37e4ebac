package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * The part of the GNU tar format that regular files need. Reading trusts nothing: an archive may
 * come from hostile code.
 */
final class TarArchive {
    private static final int BLOCK = 512;
    private static final int RECORD = 20 * BLOCK;
    private static final int SIZE_AT = 124;
    private static final int CHECKSUM_AT = 148;
    private static final int TYPE_AT = 156;
    private static final int LONGEST_NAME = 4096;

    private TarArchive() {}

    static byte[] write(List<SandboxFile> files) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (SandboxFile file : files) {
            byte[] name = file.path().getBytes(StandardCharsets.UTF_8);
            if (name.length > 100) {
                byte[] terminated = Arrays.copyOf(name, name.length + 1);
                entry(out, "././@LongLink".getBytes(StandardCharsets.US_ASCII), terminated, 'L', 0);
            }
            entry(out, name, file.content(), '0', file.executable() ? 0755 : 0644);
        }
        int padded = (out.size() + 2 * BLOCK + RECORD - 1) / RECORD * RECORD;
        out.writeBytes(new byte[padded - out.size()]);
        return out.toByteArray();
    }

    private static void entry(
            ByteArrayOutputStream out, byte[] name, byte[] content, char type, int mode) {
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, Math.min(100, name.length));
        octal(header, 100, 8, mode);
        octal(header, 108, 8, 0);
        octal(header, 116, 8, 0);
        octal(header, SIZE_AT, 12, content.length);
        octal(header, 136, 12, 0);
        Arrays.fill(header, CHECKSUM_AT, CHECKSUM_AT + 8, (byte) ' ');
        header[TYPE_AT] = (byte) type;
        byte[] magic = "ustar  ".getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(magic, 0, header, 257, magic.length);
        int sum = 0;
        for (byte b : header) {
            sum += b & 0xff;
        }
        octal(header, CHECKSUM_AT, 7, sum);
        out.writeBytes(header);
        out.writeBytes(content);
        out.writeBytes(new byte[(BLOCK - content.length % BLOCK) % BLOCK]);
    }

    private static void octal(byte[] header, int at, int width, long value) {
        String digits = Long.toOctalString(value);
        String padded = "0".repeat(width - 1 - digits.length()) + digits;
        System.arraycopy(padded.getBytes(StandardCharsets.US_ASCII), 0, header, at, width - 1);
        header[at + width - 1] = 0;
    }

    /**
     * The regular files of an archive, sorted by path. Names that are not valid UTF-8 are left out.
     *
     * @throws SandboxException of kind QUOTA when there is more content than allowed
     */
    static List<SandboxFile> read(byte[] tar, long maxBytes) throws SandboxException {
        List<SandboxFile> files = new ArrayList<>();
        byte[] longName = null;
        long bytes = 0;
        int at = 0;
        while (at + BLOCK <= tar.length && tar[at] != 0) {
            long size = number(tar, at + SIZE_AT, 12);
            char type = (char) (tar[at + TYPE_AT] & 0xff);
            if (type == '0' || type == 0) {
                bytes += Math.max(0, size);
            }
            if (bytes > maxBytes) {
                String message = "more than " + maxBytes + " bytes of files";
                throw new SandboxException(Kind.QUOTA, true, message, null);
            }
            if (size < 0 || at + BLOCK + size > tar.length) {
                break;
            }
            int from = at + BLOCK;
            if (type == 'L' && size <= LONGEST_NAME) {
                longName = cString(tar, from, (int) size);
            } else if (type == '0' || type == 0) {
                byte[] name = longName != null ? longName : cString(tar, at, 100);
                byte[] content = Arrays.copyOfRange(tar, from, from + (int) size);
                boolean executable = (number(tar, at + 100, 8) & 0100) != 0;
                addFile(files, name, content, executable);
                longName = null;
            } else {
                longName = type == 'K' ? longName : null;
            }
            at = from + (int) ((size + BLOCK - 1) / BLOCK * BLOCK);
        }
        files.sort(Comparator.comparing(SandboxFile::path));
        return files;
    }

    private static void addFile(
            List<SandboxFile> files, byte[] name, byte[] content, boolean executable) {
        String path;
        try {
            path = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
        } catch (CharacterCodingException notText) {
            return;
        }
        String relative = path.startsWith("./") ? path.substring(2) : path;
        boolean safe = !relative.isEmpty() && !("/" + relative + "/").contains("/../");
        if (safe && !relative.startsWith("/")) {
            files.add(new SandboxFile(relative, content, executable));
        }
    }

    private static byte[] cString(byte[] bytes, int from, int most) {
        int end = from;
        while (end < from + most && bytes[end] != 0) {
            end++;
        }
        return Arrays.copyOfRange(bytes, from, end);
    }

    /** Octal digits, or big-endian binary after a byte 0x80; -1 when it is neither. */
    private static long number(byte[] bytes, int from, int width) {
        long value = 0;
        if ((bytes[from] & 0x80) != 0) {
            for (int i = from + 1; i < from + width; i++) {
                if (value > Long.MAX_VALUE >> 9) {
                    return -1;
                }
                value = (value << 8) | (bytes[i] & 0xff);
            }
            return value;
        }
        for (int i = from; i < from + width && bytes[i] != 0; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '7') {
                value = (value << 3) | (bytes[i] - '0');
            } else if (bytes[i] != ' ') {
                return -1;
            }
        }
        return value;
    }
}
