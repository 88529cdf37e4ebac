package dev.millrace.backends.image;

import java.util.ArrayList;
import java.util.List;

/**
 * What the name of an entry of a layer stands for: an entry, or the absence of what the layers
 * below have, as the OCI image specification writes it.
 *
 * @param meaning what to do
 * @param parts components of the path that it is about, from the root
 */
record EntryName(Meaning meaning, List<String> parts) {
    private static final String WHITEOUT = ".wh.";
    private static final String OPAQUE = ".wh..wh..opq";
    private static final String BOOKKEEPING = ".wh..wh.";
    private static final int LONGEST = 255;

    /** What to do with it. */
    enum Meaning {
        /** Put the entry there. */
        PUT,
        /** Remove what the layers below have there. */
        REMOVE,
        /** Empty the folder of what the layers below have in it. */
        EMPTY,
        /** Nothing. */
        IGNORE
    }

    /**
     * Reads a name. A leading slash means the root of the image.
     *
     * @throws ImageException for a name that leads out of the image, or is none
     */
    static EntryName of(String name) throws ImageException {
        List<String> parts = parts(name);
        if (parts.isEmpty()) {
            return new EntryName(Meaning.IGNORE, parts);
        }
        String last = parts.get(parts.size() - 1);
        List<String> folder = parts.subList(0, parts.size() - 1);
        if (last.equals(OPAQUE)) {
            return new EntryName(Meaning.EMPTY, List.copyOf(folder));
        }
        if (last.startsWith(BOOKKEEPING)) {
            return new EntryName(Meaning.IGNORE, parts);
        }
        if (!last.startsWith(WHITEOUT)) {
            return new EntryName(Meaning.PUT, parts);
        }
        String gone = last.substring(WHITEOUT.length());
        if (gone.isEmpty() || gone.equals(".") || gone.equals("..")) {
            throw new ImageException("an entry has the name '" + name + "', which removes nothing");
        }
        List<String> path = new ArrayList<>(folder);
        path.add(gone);
        return new EntryName(Meaning.REMOVE, List.copyOf(path));
    }

    /**
     * Components of a path in the image.
     *
     * @throws ImageException when it leads out of the image
     */
    static List<String> parts(String path) throws ImageException {
        List<String> parts = new ArrayList<>();
        for (String part : path.split("/", -1)) {
            if (part.equals("..") || part.indexOf('\0') >= 0 || part.length() > LONGEST) {
                throw new ImageException("an entry has the name '" + path + "', which is no path");
            }
            if (!part.isEmpty() && !part.equals(".")) {
                parts.add(part);
            }
        }
        return List.copyOf(parts);
    }
}
