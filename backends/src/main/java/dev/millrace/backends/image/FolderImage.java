package dev.millrace.backends.image;

import dev.millrace.backends.image.TreeEntry.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;

/** A folder that holds a root file system, as {@code debootstrap} makes it. */
final class FolderImage implements ImageSource {
    private final Path folder;

    FolderImage(Path folder) {
        this.folder = folder;
    }

    @Override
    public String key() {
        return "folder " + folder;
    }

    @Override
    public ImageConfig config() {
        return ImageConfig.NONE;
    }

    @Override
    public void writeTo(TreeWriter tree) throws IOException {
        Files.walkFileTree(
                folder,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path path, BasicFileAttributes attributes) throws IOException {
                        return visitFile(path, attributes);
                    }

                    @Override
                    public FileVisitResult visitFile(Path path, BasicFileAttributes attributes)
                            throws IOException {
                        put(tree, path, attributes);
                        return FileVisitResult.CONTINUE;
                    }
                });
        tree.finish();
    }

    private void put(TreeWriter tree, Path path, BasicFileAttributes attributes)
            throws IOException {
        Kind kind =
                attributes.isDirectory()
                        ? Kind.FOLDER
                        : attributes.isRegularFile()
                                ? Kind.FILE
                                : attributes.isSymbolicLink() ? Kind.SYMBOLIC_LINK : Kind.OTHER;
        String link = kind == Kind.SYMBOLIC_LINK ? Files.readSymbolicLink(path).toString() : "";
        int mode = (int) Files.getAttribute(path, "unix:mode", LinkOption.NOFOLLOW_LINKS);
        TreeEntry entry =
                new TreeEntry(
                        folder.relativize(path).toString(),
                        kind,
                        mode & 07777,
                        attributes.lastModifiedTime().toMillis(),
                        link,
                        kind == Kind.FILE ? attributes.size() : 0);
        if (kind == Kind.FILE) {
            try (InputStream content = Files.newInputStream(path, LinkOption.NOFOLLOW_LINKS)) {
                tree.put(entry, content);
            }
        } else {
            tree.put(entry, InputStream.nullInputStream());
        }
    }
}
