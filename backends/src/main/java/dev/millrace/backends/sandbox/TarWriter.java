package dev.millrace.backends.sandbox;

import dev.millrace.backends.port.SandboxFile;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes the part of the GNU tar format that regular files and folders need. */
public final class TarWriter {
    static final int BLOCK = 512;
    static final int NAME_BYTES = 100;
    static final int SIZE_AT = 124;
    static final int TYPE_AT = 156;
    private static final int RECORD = 20 * BLOCK;
    private static final int CHECKSUM_AT = 148;

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final int uid;
    private final int gid;

    /** All entries belong to that user and group. */
    public TarWriter(int uid, int gid) {
        this.uid = uid;
        this.gid = gid;
    }

    /** An archive of regular files, owned by root. */
    public static byte[] archive(List<SandboxFile> files) {
        TarWriter writer = new TarWriter(0, 0);
        files.forEach(file -> writer.file(file.path(), file));
        return writer.end();
    }

    /** A folder that others may read. */
    public void folder(String path) {
        folder(path, 0755);
    }

    /** A folder with that mode. */
    public void folder(String path, int mode) {
        add(path + "/", new byte[0], '5', mode);
    }

    /** A regular file under a path that may differ from its own. */
    public void file(String path, SandboxFile file) {
        add(path, file.content(), '0', file.executable() ? 0755 : 0644);
    }

    private void add(String path, byte[] content, char type, int mode) {
        byte[] name = path.getBytes(StandardCharsets.UTF_8);
        if (name.length > NAME_BYTES) {
            byte[] terminated = Arrays.copyOf(name, name.length + 1);
            entry("././@LongLink".getBytes(StandardCharsets.US_ASCII), terminated, 'L', 0);
        }
        entry(name, content, type, mode);
    }

    private void entry(byte[] name, byte[] content, char type, int mode) {
        byte[] header = new byte[BLOCK];
        System.arraycopy(name, 0, header, 0, Math.min(NAME_BYTES, name.length));
        octal(header, 100, 8, mode);
        octal(header, 108, 8, uid);
        octal(header, 116, 8, gid);
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

    /** The whole archive, with its end marker. */
    public byte[] end() {
        int padded = (out.size() + 2 * BLOCK + RECORD - 1) / RECORD * RECORD;
        out.writeBytes(new byte[padded - out.size()]);
        return out.toByteArray();
    }
}
