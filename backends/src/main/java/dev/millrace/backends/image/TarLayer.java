package dev.millrace.backends.image;

import dev.millrace.backends.image.TreeEntry.Kind;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.compressors.zstandard.ZstdCompressorInputStream;

/** A layer as a tar archive, plain or compressed by gzip or Zstandard. */
final class TarLayer {
    private static final int BUFFER = 64 << 10;
    private static final int MAGIC_BYTES = 4;
    private static final int GZIP = 0x1f8b;
    private static final int ZSTANDARD = 0x28b52ffd;

    private TarLayer() {}

    /** Puts all entries of an archive into a tree, as its next layer; reads it to its end. */
    static void writeTo(TreeWriter tree, InputStream archive) throws IOException {
        tree.nextLayer();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(plain(archive), StandardCharsets.UTF_8.name())) {
            TarArchiveEntry entry;
            while ((entry = tar.getNextEntry()) != null) {
                tree.put(entry(entry), tar);
            }
            // What stands behind the archive's end counts for the layer's digest.
            archive.transferTo(OutputStream.nullOutputStream());
        } catch (IllegalArgumentException e) {
            // What the library says about some malformed headers.
            ImageException damaged = new ImageException("a layer is damaged: " + e.getMessage());
            damaged.initCause(e);
            throw damaged;
        }
    }

    /** Whether bytes begin like something compressed that can be read. */
    static boolean isCompressed(byte[] start) {
        int first = magic(start);
        return first >>> 16 == GZIP || first == ZSTANDARD;
    }

    private static InputStream plain(InputStream archive) throws IOException {
        BufferedInputStream buffered = new BufferedInputStream(archive, BUFFER);
        buffered.mark(MAGIC_BYTES);
        int first = magic(buffered.readNBytes(MAGIC_BYTES));
        buffered.reset();
        if (first >>> 16 == GZIP) {
            return new GZIPInputStream(buffered, BUFFER);
        }
        return first == ZSTANDARD ? new ZstdCompressorInputStream(buffered) : buffered;
    }

    private static int magic(byte[] start) {
        int value = 0;
        for (int i = 0; i < MAGIC_BYTES; i++) {
            value = value << 8 | (i < start.length ? start[i] & 0xff : 0);
        }
        return value;
    }

    private static TreeEntry entry(TarArchiveEntry entry) {
        return new TreeEntry(
                entry.getName(),
                kind(entry),
                entry.getMode() & 07777,
                entry.getLastModifiedTime().toMillis(),
                entry.getLinkName() == null ? "" : entry.getLinkName(),
                // Of a file with holes, what comes out and not what lies in the archive.
                entry.isSparse() ? entry.getRealSize() : entry.getSize());
    }

    private static Kind kind(TarArchiveEntry entry) {
        if (entry.isDirectory()) {
            return Kind.FOLDER;
        }
        if (entry.isSymbolicLink()) {
            return Kind.SYMBOLIC_LINK;
        }
        if (entry.isLink()) {
            return Kind.HARD_LINK;
        }
        boolean other = entry.isCharacterDevice() || entry.isBlockDevice() || entry.isFIFO();
        return other ? Kind.OTHER : Kind.FILE;
    }
}
