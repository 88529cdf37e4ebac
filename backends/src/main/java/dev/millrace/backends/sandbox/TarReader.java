package dev.millrace.backends.sandbox;

import static dev.millrace.backends.sandbox.TarWriter.BLOCK;
import static dev.millrace.backends.sandbox.TarWriter.NAME_BYTES;
import static dev.millrace.backends.sandbox.TarWriter.SIZE_AT;
import static dev.millrace.backends.sandbox.TarWriter.TYPE_AT;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads the regular files of a tar archive, with long names as GNU and as POSIX write them, and
 * hard links as copies. Trusts nothing: an archive may come from hostile code.
 */
public final class TarReader {
    private static final int LINK_AT = 157;
    private static final int PREFIX_AT = 345;
    private static final int PREFIX_BYTES = 155;
    private static final int LONGEST_NAME = 4096;
    private static final int LONGEST_HEADER = 64 << 10;

    private final byte[] tar;
    private final long maxBytes;
    private final String root;
    private final List<SandboxFile> files = new ArrayList<>();
    private final Map<String, SandboxFile> byName = new HashMap<>();
    private Map<String, byte[]> extended = new HashMap<>();
    private long bytes;

    private TarReader(byte[] tar, long maxBytes, String root) {
        this.tar = tar;
        this.maxBytes = maxBytes;
        this.root = root;
    }

    /**
     * The regular files of an archive, sorted by path. Names that are not valid UTF-8 are left out.
     *
     * @param root folder of the archive that the paths are relative to; may be empty
     * @throws SandboxException of kind QUOTA when there is more content than allowed
     */
    public static List<SandboxFile> read(byte[] tar, long maxBytes, String root)
            throws SandboxException {
        TarReader reader = new TarReader(tar, maxBytes, root);
        reader.readAll();
        reader.files.sort(Comparator.comparing(SandboxFile::path));
        return reader.files;
    }

    private void readAll() throws SandboxException {
        int at = 0;
        while (at + BLOCK <= tar.length && tar[at] != 0) {
            long size = size(at);
            char type = (char) (tar[at + TYPE_AT] & 0xff);
            if (type == '0' || type == 0) {
                count(size);
            }
            if (size < 0 || at + BLOCK + size > tar.length) {
                return;
            }
            entry(type, at, (int) size);
            at += BLOCK + (int) ((size + BLOCK - 1) / BLOCK * BLOCK);
        }
    }

    private long size(int at) {
        byte[] said = extended.get("size");
        return said == null ? number(tar, at + SIZE_AT, 12) : decimal(said, 0, said.length);
    }

    private void count(long size) throws SandboxException {
        bytes += Math.max(0, size);
        if (bytes > maxBytes) {
            String message = "more than " + maxBytes + " bytes of files";
            throw new SandboxException(Kind.QUOTA, true, message, null);
        }
    }

    private void entry(char type, int at, int size) throws SandboxException {
        int from = at + BLOCK;
        if (type == 'L' && size <= LONGEST_NAME) {
            extended.put("path", cString(from, size));
        } else if (type == 'K' && size <= LONGEST_NAME) {
            extended.put("linkpath", cString(from, size));
        } else if (type == 'x' && size <= LONGEST_HEADER) {
            records(from, from + size);
        } else if (type != 'g') {
            String path = path(name(at));
            if (type == '0' || type == 0) {
                byte[] content = Arrays.copyOfRange(tar, from, from + size);
                add(path, content, (number(tar, at + 100, 8) & 0100) != 0);
            } else if (type == '1') {
                byte[] target = extended.getOrDefault("linkpath", cString(at + LINK_AT, 100));
                link(path, byName.get(path(target)));
            }
            extended = new HashMap<>();
        }
    }

    private void link(String path, SandboxFile target) throws SandboxException {
        if (target != null) {
            count(target.content().length);
            add(path, target.content(), target.executable());
        }
    }

    private void add(String path, byte[] content, boolean executable) {
        if (!path.isEmpty()) {
            SandboxFile file = new SandboxFile(path, content, executable);
            files.add(file);
            byName.put(path, file);
        }
    }

    private byte[] name(int at) {
        byte[] name = extended.get("path");
        if (name != null) {
            return name;
        }
        byte[] own = cString(at, NAME_BYTES);
        boolean posix = tar[at + 257 + 5] == 0;
        byte[] prefix = posix ? cString(at + PREFIX_AT, PREFIX_BYTES) : new byte[0];
        if (prefix.length == 0) {
            return own;
        }
        ByteBuffer joined = ByteBuffer.allocate(prefix.length + 1 + own.length);
        return joined.put(prefix).put((byte) '/').put(own).array();
    }

    /** Relative to the root; empty when it is outside or no text. */
    private String path(byte[] name) {
        String path;
        try {
            path = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(name)).toString();
        } catch (CharacterCodingException notText) {
            return "";
        }
        String relative = path.startsWith("./") ? path.substring(2) : path;
        if (!root.isEmpty()) {
            if (!relative.startsWith(root + "/")) {
                return "";
            }
            relative = relative.substring(root.length() + 1);
        }
        boolean outside = relative.startsWith("/") || ("/" + relative + "/").contains("/../");
        return outside ? "" : relative;
    }

    /** Records {@code length key=value}, each with a line end; what is malformed ends them. */
    private void records(int from, int end) {
        int at = from;
        while (at < end) {
            int blank = indexOf(' ', at, end);
            long length = decimal(tar, at, blank);
            int next = (int) Math.min(end, at + Math.max(0, length));
            int equals = indexOf('=', blank, next);
            if (length <= 0 || equals >= next) {
                return;
            }
            String key = new String(tar, blank + 1, equals - blank - 1, StandardCharsets.UTF_8);
            extended.put(key, Arrays.copyOfRange(tar, equals + 1, next - 1));
            at = next;
        }
    }

    private int indexOf(char wanted, int from, int end) {
        int at = from;
        while (at < end && tar[at] != wanted) {
            at++;
        }
        return at;
    }

    private byte[] cString(int from, int most) {
        return Arrays.copyOfRange(tar, from, indexOf('\0', from, from + most));
    }

    private static long decimal(byte[] digits, int from, int end) {
        long value = 0;
        for (int i = from; i < end; i++) {
            if (digits[i] < '0' || digits[i] > '9' || value > Long.MAX_VALUE / 10 - 9) {
                return -1;
            }
            value = value * 10 + digits[i] - '0';
        }
        return end > from ? value : -1;
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
