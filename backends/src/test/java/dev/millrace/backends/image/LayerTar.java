package dev.millrace.backends.image;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;

/** Builds layers entry by entry, hostile ones too. */
public final class LayerTar {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final TarArchiveOutputStream tar = new TarArchiveOutputStream(bytes);

    /** An empty one. */
    public LayerTar() {
        tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
    }

    /** A regular file. */
    public LayerTar file(String path, String text) {
        return file(path, 0644, text.getBytes(StandardCharsets.UTF_8));
    }

    /** A regular file with its mode. */
    public LayerTar file(String path, int mode, byte[] content) {
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_NORMAL, true);
        entry.setMode(mode);
        entry.setSize(content.length);
        return put(entry, content);
    }

    /** A folder with its mode. */
    public LayerTar folder(String path, int mode) {
        TarArchiveEntry entry = new TarArchiveEntry(path + "/", TarConstants.LF_DIR, true);
        entry.setMode(mode);
        return put(entry, new byte[0]);
    }

    /** A symbolic link. */
    public LayerTar link(String path, String target) {
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_SYMLINK, true);
        entry.setLinkName(target);
        return put(entry, new byte[0]);
    }

    /** A second name of a file. */
    public LayerTar hardLink(String path, String target) {
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_LINK, true);
        entry.setLinkName(target);
        return put(entry, new byte[0]);
    }

    /** A character device. */
    public LayerTar device(String path) {
        return put(new TarArchiveEntry(path, TarConstants.LF_CHR, true), new byte[0]);
    }

    /** A file that says it is larger than what follows. */
    public LayerTar promise(String path, long size) {
        TarArchiveEntry entry = new TarArchiveEntry(path, TarConstants.LF_NORMAL, true);
        entry.setSize(size);
        try {
            tar.putArchiveEntry(entry);
            tar.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The same entries make the same bytes, whenever they are made. */
    private LayerTar put(TarArchiveEntry entry, byte[] content) {
        entry.setModTime(0);
        try {
            tar.putArchiveEntry(entry);
            tar.write(content);
            tar.closeArchiveEntry();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return this;
    }

    /** The archive, whole. */
    public byte[] bytes() throws IOException {
        tar.finish();
        return bytes.toByteArray();
    }

    /** What there is of the archive, its last entry unfinished. */
    public byte[] cut() {
        return bytes.toByteArray();
    }

    /** The archive, compressed. */
    public byte[] gzip() throws IOException {
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(bytes());
        }
        return zipped.toByteArray();
    }
}
