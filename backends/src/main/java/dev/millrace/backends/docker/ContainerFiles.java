package dev.millrace.backends.docker;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.sandbox.TarReader;
import dev.millrace.backends.sandbox.TarWriter;
import java.io.IOException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Files in and out of a container, as archives that the daemon packs and unpacks. It works on a
 * container that has ended, too, when nothing inside can change what is read.
 */
final class ContainerFiles {
    /** Tar headers and padding that come on top of the content of files. */
    private static final long TAR_OVERHEAD_BYTES = 16L << 20;

    // Bits of a file mode as the daemon writes it.
    private static final long FOLDER = 1L << 31;
    private static final long LINK = 1L << 27;
    private static final ObjectMapper JSON = new ObjectMapper();

    private final Engine engine;
    private final DockerSettings settings;
    private final String container;

    ContainerFiles(Engine engine, DockerSettings settings, String container) {
        this.engine = engine;
        this.settings = settings;
        this.container = container;
    }

    /**
     * Lets commands make folders at the top of the tree, and remove their own there, as in a folder
     * for temporary files. What the image has there stays out of their reach.
     */
    void openTop() throws SandboxException {
        TarWriter tar = new TarWriter(0, 0);
        tar.folder(".", 01777);
        unpack("/", tar.end());
    }

    /** Writes files and the folders that are missing; those there are keep owner and mode. */
    void put(String directory, List<SandboxFile> files) throws SandboxException {
        requireAbsolute(directory);
        TarWriter tar = new TarWriter(settings.uid(), settings.gid());
        Map<String, Boolean> folders = new HashMap<>();
        makeFolder(directory.replaceAll("^/+|/+$", ""), folders, tar);
        String prefix = directory.replaceAll("^/+|/+$", "");
        for (SandboxFile file : files) {
            requireRelative(file.path());
            String path = prefix.isEmpty() ? file.path() : prefix + "/" + file.path();
            makeFolder(parent(path), folders, tar);
            tar.file(path, file);
        }
        unpack(directory, tar.end());
    }

    private void unpack(String directory, byte[] archive) throws SandboxException {
        EngineCall call =
                new EngineCall(
                        "writing files to " + directory,
                        "PUT",
                        path("/"),
                        "application/x-tar",
                        archive,
                        settings.requestTimeoutMillis(),
                        false);
        Engine.Status status = engine.status(call);
        if (!status.ok()) {
            throw status.code() == 404 || status.code() == 429
                    ? status.failure(call)
                    : new SandboxException(Kind.QUOTA, call.what() + ": " + status.message());
        }
    }

    private void makeFolder(String folder, Map<String, Boolean> known, TarWriter tar)
            throws SandboxException {
        if (folder.isEmpty() || known.containsKey(folder)) {
            return;
        }
        makeFolder(parent(folder), known, tar);
        boolean below = known.getOrDefault(parent(folder), true);
        boolean there = below && exists("/" + folder);
        if (!there) {
            tar.folder(folder);
        }
        known.put(folder, there);
    }

    private static String parent(String path) {
        return path.substring(0, Math.max(0, path.lastIndexOf('/')));
    }

    private boolean exists(String path) throws SandboxException {
        EngineCall call =
                EngineCall.bare(
                        "looking at " + path, "HEAD", path(path), settings.requestTimeoutMillis());
        try (HttpReply reply = engine.open(call)) {
            return reply.status() < 400;
        } catch (IOException e) {
            throw EngineFailure.unanswered(call, e);
        }
    }

    private static JsonNode stat(HttpReply reply) throws IOException {
        return JSON.readTree(
                Base64.getDecoder().decode(reply.header("x-docker-container-path-stat")));
    }

    /** Some daemons follow links, and name what they came to, which may be the path itself. */
    private static boolean isOwnFolder(JsonNode stat, String path) {
        long mode = stat.path("mode").asLong();
        String target = stat.path("linkTarget").asText();
        boolean link = (mode & LINK) != 0 || !(target.isEmpty() || target.equals(path));
        return (mode & FOLDER) != 0 && !link;
    }

    /** The regular files below a folder that is no link; none when there is no such folder. */
    List<SandboxFile> get(String directory, long maxBytes) throws SandboxException {
        requireAbsolute(directory);
        String clean = "/" + directory.replaceAll("^/+|/+$", "");
        EngineCall call =
                EngineCall.get(
                        "reading files of " + directory,
                        path(clean),
                        settings.requestTimeoutMillis());
        try (HttpReply reply = engine.open(call)) {
            if (reply.status() == 404) {
                return List.of();
            }
            if (reply.status() >= 400) {
                throw new SandboxException(
                        Kind.UNREACHABLE, call.what() + ": status " + reply.status());
            }
            if (!isOwnFolder(stat(reply), clean)) {
                return List.of();
            }
            String root = clean.substring(clean.lastIndexOf('/') + 1);
            return TarReader.read(limited(reply, directory, maxBytes), maxBytes, root);
        } catch (IOException e) {
            throw EngineFailure.unanswered(call, e);
        }
    }

    private static byte[] limited(HttpReply reply, String directory, long maxBytes)
            throws IOException, SandboxException {
        int most = (int) Math.min(Integer.MAX_VALUE - 16_384, maxBytes + TAR_OVERHEAD_BYTES);
        byte[] tar = reply.body(most);
        if (tar.length > most) {
            String message = "files of " + directory + " exceed " + maxBytes + " bytes";
            throw new SandboxException(Kind.QUOTA, true, message, null);
        }
        return tar;
    }

    private String path(String inside) {
        return "/containers/"
                + EngineCall.encoded(container)
                + "/archive?path="
                + EngineCall.encoded(inside);
    }

    private static void requireAbsolute(String path) {
        if (!path.startsWith("/") || path.indexOf('\0') >= 0 || hasDots(path)) {
            throw new IllegalArgumentException("not an absolute path without '..': " + path);
        }
    }

    private static void requireRelative(String path) {
        if (path.isEmpty() || path.startsWith("/") || path.indexOf('\0') >= 0 || hasDots(path)) {
            throw new IllegalArgumentException("not a relative path without '..': " + path);
        }
    }

    private static boolean hasDots(String path) {
        return ("/" + path + "/").contains("/../");
    }
}
