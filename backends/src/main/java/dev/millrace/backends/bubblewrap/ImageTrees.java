package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.bubblewrap.Layers.Layer;
import dev.millrace.backends.image.ImageConfig;
import dev.millrace.backends.image.ImageSource;
import dev.millrace.backends.image.Images;
import dev.millrace.backends.image.SingleUser;
import dev.millrace.backends.image.TreeLimits;
import dev.millrace.backends.image.TreePaths;
import dev.millrace.backends.image.TreeWriter;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Images as layers for sandboxes, each unpacked once by its content. */
final class ImageTrees {
    private static final Logger LOG = LoggerFactory.getLogger(ImageTrees.class);
    private static final String KEY = "image ";

    private final Layers layers;
    private final TreeLimits limits;
    private final Map<String, ImageSource> sources = new ConcurrentHashMap<>();
    private final Map<String, Object> locks = new ConcurrentHashMap<>();

    ImageTrees(Layers layers, TreeLimits limits) {
        this.layers = layers;
        this.limits = limits;
    }

    /** What an image says about the processes in it. */
    ImageConfig config(String reference) throws SandboxException {
        return source(reference).config();
    }

    /** An image's layer, until it is given back. Blocks while the image is unpacked. */
    Layer take(String reference) throws SandboxException {
        ImageSource source = source(reference);
        String key = KEY + source.key();
        synchronized (locks.computeIfAbsent(key, unused -> new Object())) {
            Optional<Layer> there = layers.take(key);
            if (there.isPresent()) {
                return there.get();
            }
            IOException[] problem = new IOException[1];
            layers.add(
                    key,
                    Optional.empty(),
                    (folder, uid) -> {
                        problem[0] = unpack(source, folder, uid);
                        return problem[0] == null;
                    });
            return layers.take(key).orElseThrow(() -> failed(reference, problem[0]));
        }
    }

    private ImageSource source(String reference) throws SandboxException {
        ImageSource known = sources.get(reference);
        if (known != null) {
            return known;
        }
        try {
            ImageSource opened = Images.open(Path.of(reference));
            sources.put(reference, opened);
            return opened;
        } catch (IOException e) {
            throw new SandboxException(Kind.IMAGE, false, e.getMessage(), e);
        }
    }

    /** Returns why it failed, or null. */
    private IOException unpack(ImageSource source, Path folder, int uid) {
        long start = System.nanoTime();
        try {
            Files.createDirectories(folder);
            TreeWriter tree = new TreeWriter(folder, uid, limits);
            source.writeTo(tree);
            SingleUser.adapt(folder, tree);
            if (!Files.exists(TreePaths.follow(folder, "/bin/sh"))) {
                throw new IOException("it has no /bin/sh");
            }
            long millis = (System.nanoTime() - start) / 1_000_000;
            LOG.info("Image unpacked key={} millis={}", source.key(), millis);
            return null;
        } catch (IOException e) {
            FileTrees.remove(folder);
            return e;
        }
    }

    private static SandboxException failed(String reference, IOException problem) {
        String why = problem == null ? "there is no room for it" : problem.getMessage();
        String message = "image " + reference + " can't be unpacked: " + why;
        return new SandboxException(Kind.IMAGE, false, message, problem);
    }
}
