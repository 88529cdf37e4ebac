package dev.millrace.backends.image;

/**
 * One entry of a file tree.
 *
 * @param path as the source writes it
 * @param kind what it is
 * @param mode permissions, twelve bits
 * @param modifiedMillis time of its last change, since the epoch
 * @param link target of a link, else empty
 * @param size bytes of content
 */
record TreeEntry(String path, Kind kind, int mode, long modifiedMillis, String link, long size) {

    /** What there is in file trees. */
    enum Kind {
        FOLDER,
        FILE,
        SYMBOLIC_LINK,
        HARD_LINK,
        /** Devices, pipes and sockets: an image needs none. */
        OTHER
    }
}
