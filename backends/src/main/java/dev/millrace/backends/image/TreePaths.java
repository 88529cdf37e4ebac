package dev.millrace.backends.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;

/** Finds places in a file tree, following links as if the tree's top were the root. */
public final class TreePaths {
    private static final int MOST_LINKS = 40;

    private TreePaths() {}

    /** Makes a folder that a way leads through and that is not there. */
    interface Missing {
        void make(Path folder) throws IOException;
    }

    /**
     * The place of a path, whose folders exist or are made on the way. The last component is not
     * followed.
     *
     * @throws ImageException when links go round, or lead through something that is no folder
     */
    static Path place(Path root, List<String> parts, Missing missing) throws IOException {
        if (parts.isEmpty()) {
            return root;
        }
        Path folder = walk(root, parts.subList(0, parts.size() - 1), missing);
        if (!Files.isDirectory(folder, LinkOption.NOFOLLOW_LINKS)) {
            throw new ImageException(root.relativize(folder) + " is no folder");
        }
        return folder.resolve(parts.get(parts.size() - 1));
    }

    /**
     * The file or folder that a path leads to inside of a tree, all links followed.
     *
     * @throws IOException when there is none
     */
    public static Path follow(Path root, String path) throws IOException {
        List<String> parts = EntryName.parts(path);
        return walk(
                root,
                parts,
                absent -> {
                    throw new ImageException("there is no " + path);
                });
    }

    private static Path walk(Path root, List<String> parts, Missing missing) throws IOException {
        Deque<String> left = new ArrayDeque<>(parts);
        Path at = root;
        int links = 0;
        while (!left.isEmpty()) {
            String part = left.pop();
            if (part.equals("..")) {
                at = at.equals(root) ? root : at.getParent();
                continue;
            }
            Path next = at.resolve(part);
            if (Files.isSymbolicLink(next)) {
                if (++links > MOST_LINKS) {
                    throw new ImageException("links go round at " + root.relativize(next));
                }
                String target = Files.readSymbolicLink(next).toString();
                at = target.startsWith("/") ? root : at;
                push(left, target);
                continue;
            }
            if (!Files.exists(next, LinkOption.NOFOLLOW_LINKS)) {
                missing.make(next);
            } else if (!left.isEmpty() && !Files.isDirectory(next, LinkOption.NOFOLLOW_LINKS)) {
                throw new ImageException(root.relativize(next) + " is no folder");
            }
            at = next;
        }
        return at;
    }

    private static void push(Deque<String> left, String target) {
        List<String> parts = new ArrayList<>(List.of(target.split("/", -1)));
        parts.removeIf(part -> part.isEmpty() || part.equals("."));
        Collections.reverse(parts);
        parts.forEach(left::push);
    }
}
