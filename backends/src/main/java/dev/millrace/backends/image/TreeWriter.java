package dev.millrace.backends.image;

import dev.millrace.backends.image.TreeEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributeView;
import java.nio.file.attribute.FileTime;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Puts the layers of an image on each other in a folder. A layer may be hostile: nothing is written
 * outside of the folder, devices are left out, all files belong to one host id, and no program gets
 * rights by its mode.
 */
public final class TreeWriter {
    private static final int PERMISSIONS = 01777;
    private static final int NEW_FOLDER = 0755;

    private final Path root;
    private final int uid;
    private final TreeLimits limits;
    private final Set<Path> ofThisLayer = new HashSet<>();
    private final Map<Path, TreeEntry> folders = new LinkedHashMap<>();
    private long bytes;
    private long entries;

    /**
     * @param root an empty folder that nobody else writes to
     * @param uid host id that everything is to belong to; 0 to leave it with this process's
     */
    public TreeWriter(Path root, int uid, TreeLimits limits) {
        this.root = root;
        this.uid = uid;
        this.limits = limits;
    }

    /** Begins the next layer, which lies above those before. */
    void nextLayer() {
        ofThisLayer.clear();
    }

    /**
     * Puts an entry into the tree, or removes what it says is gone.
     *
     * @param content of a file, read as far as the entry's size; not used for others
     */
    void put(TreeEntry entry, InputStream content) throws IOException {
        count(entry);
        EntryName name = EntryName.of(entry.path());
        switch (name.meaning()) {
            case IGNORE -> {}
            case EMPTY -> empty(TreePaths.place(root, name.parts(), this::makeFolder));
            case REMOVE -> {
                Path gone = TreePaths.place(root, name.parts(), this::makeFolder);
                if (ofThisLayer.contains(gone)) {
                    empty(gone);
                } else {
                    remove(gone);
                }
            }
            case PUT -> {
                Path place = TreePaths.place(root, name.parts(), this::makeFolder);
                make(place, entry, content);
            }
        }
    }

    private void count(TreeEntry entry) throws ImageException {
        entries++;
        bytes += entry.kind() == Kind.FILE ? entry.size() : 0;
        if (entries > limits.entries() || bytes > limits.bytes() || entry.size() < 0) {
            throw new ImageException(
                    "it has more than "
                            + limits.bytes()
                            + " bytes or more than "
                            + limits.entries()
                            + " entries");
        }
    }

    private void make(Path place, TreeEntry entry, InputStream content) throws IOException {
        if (entry.kind() == Kind.OTHER) {
            return;
        }
        boolean folder = Files.isDirectory(place, LinkOption.NOFOLLOW_LINKS);
        if (!folder || entry.kind() != Kind.FOLDER) {
            remove(place);
        }
        switch (entry.kind()) {
            case FOLDER -> {
                if (!folder) {
                    makeFolder(place);
                }
                // Permissions come last: a folder may be closed to who fills it.
                folders.put(place, entry);
            }
            case FILE -> {
                write(place, entry.size(), content);
                own(place);
                finish(place, entry);
            }
            case SYMBOLIC_LINK -> {
                Files.createSymbolicLink(place, Path.of(entry.link()));
                own(place);
            }
            default -> link(place, entry);
        }
        // The folders that it lies in count as well, even if the layer doesn't list them.
        for (Path at = place; !at.equals(root); at = at.getParent()) {
            ofThisLayer.add(at);
        }
    }

    private void link(Path place, TreeEntry entry) throws IOException {
        Path target =
                TreePaths.place(
                        root,
                        EntryName.parts(entry.link()),
                        absent -> {
                            throw new ImageException("a link leads nowhere: " + entry.link());
                        });
        if (!Files.exists(target, LinkOption.NOFOLLOW_LINKS)
                || Files.isDirectory(target, LinkOption.NOFOLLOW_LINKS)) {
            throw new ImageException("a link leads to no file: " + entry.link());
        }
        Files.createLink(place, target);
    }

    private static void write(Path place, long size, InputStream content) throws IOException {
        try (OutputStream out = Files.newOutputStream(place, StandardOpenOption.CREATE_NEW)) {
            byte[] buffer = new byte[64 << 10];
            long left = size;
            while (left > 0) {
                int read = content.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) {
                    throw new ImageException("it ends within a file");
                }
                out.write(buffer, 0, read);
                left -= read;
            }
        }
    }

    private void makeFolder(Path folder) throws IOException {
        Files.createDirectory(folder);
        Files.setAttribute(folder, "unix:mode", NEW_FOLDER);
        own(folder);
    }

    private void own(Path path) throws IOException {
        if (uid != 0) {
            Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
            Files.setAttribute(path, "unix:gid", uid, LinkOption.NOFOLLOW_LINKS);
        }
    }

    private static void finish(Path place, TreeEntry entry) throws IOException {
        Files.setAttribute(place, "unix:mode", entry.mode() & PERMISSIONS);
        FileTime time = FileTime.fromMillis(entry.modifiedMillis());
        Files.getFileAttributeView(place, BasicFileAttributeView.class).setTimes(time, null, null);
    }

    /** Removes from a folder what the layers below have in it; nothing where it is no folder. */
    private void empty(Path folder) throws IOException {
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (DirectoryStream<Path> children = Files.newDirectoryStream(folder)) {
            for (Path child : children) {
                if (!ofThisLayer.contains(child)) {
                    remove(child);
                } else if (Files.isDirectory(child, LinkOption.NOFOLLOW_LINKS)) {
                    empty(child);
                }
            }
        }
    }

    private void remove(Path path) throws IOException {
        if (Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            try (DirectoryStream<Path> children = Files.newDirectoryStream(path)) {
                for (Path child : children) {
                    remove(child);
                }
            }
            folders.remove(path);
        }
        Files.deleteIfExists(path);
        ofThisLayer.remove(path);
    }

    /** Gives folders their permissions, once all layers are there. */
    void finish() throws IOException {
        for (Map.Entry<Path, TreeEntry> folder : folders.entrySet()) {
            finish(folder.getKey(), folder.getValue());
        }
    }
}
