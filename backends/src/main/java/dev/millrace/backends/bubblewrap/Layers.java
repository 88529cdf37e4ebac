package dev.millrace.backends.bubblewrap;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File trees on the host that many sandboxes start from, each kept once. A sandbox sees its layer
 * through an overlay: what it changes is its own. A layer may lie on another, of which it holds the
 * differences. The files of a layer, and of those above it, belong to one host id, under which all
 * sandboxes on it run.
 */
final class Layers {
    private static final Logger LOG = LoggerFactory.getLogger(Layers.class);

    /** Folder of all layers in that of the pool of slots; and seen from a slot's. */
    static final String FOLDER = "layers";

    static final String FROM_SLOT = "../" + FOLDER + "/";

    private static final int MOST = 64;
    private static final int MOST_REFUSED = 1000;

    private final Path folder;
    private final int firstUid;
    private final Map<String, Layer> kept = new LinkedHashMap<>(16, 0.75f, true);
    private final Map<Layer, Integer> inUse = new LinkedHashMap<>();
    private final BitSet uids = new BitSet();
    private final Set<String> refused =
            Collections.newSetFromMap(
                    new LinkedHashMap<>() {
                        @Override
                        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
                            return size() > MOST_REFUSED;
                        }
                    });
    private int made;
    private int there;
    private boolean stopped;

    /**
     * @param folder of the pool of slots
     * @param firstUid the first of the host ids for layers; 0 when ids can't be changed
     */
    Layers(Path folder, int firstUid) {
        this.folder = folder.resolve(FOLDER);
        this.firstUid = firstUid;
    }

    /** How many host ids layers take. */
    static int uidCount() {
        return MOST;
    }

    /**
     * A kept tree.
     *
     * @param name of its folder
     * @param uid host id of its files; 0 where ids can't be changed
     * @param base the layer that it lies on
     */
    record Layer(String name, int uid, Optional<Layer> base) {

        /** Its folder and those below it, as a slot sees them and an overlay wants them. */
        String lower() {
            return FROM_SLOT + name + base.map(below -> ":" + below.lower()).orElse("");
        }
    }

    /** Puts a tree into a folder under a host id. */
    interface Filler {
        /**
         * Leaves nothing in the folder's place when it fails.
         *
         * @return whether all of it is there
         */
        boolean fill(Path folder, int uid);
    }

    /** Folders of a layer and of those below it, the uppermost first. */
    List<Path> folders(Layer layer) {
        List<Path> folders = new ArrayList<>();
        for (Layer at = layer; at != null; at = at.base().orElse(null)) {
            folders.add(folder.resolve(at.name()));
        }
        return folders;
    }

    /** The layer of a key, until it is given back. */
    synchronized Optional<Layer> take(String key) {
        Layer layer = kept.get(key);
        if (layer != null) {
            inUse.merge(layer, 1, Integer::sum);
        }
        return Optional.ofNullable(layer);
    }

    synchronized void giveBack(Layer layer) {
        inUse.merge(layer, -1, (uses, one) -> uses == 1 ? null : uses + one);
    }

    /**
     * Keeps a sandbox's tree, unless that was tried before and failed.
     *
     * @param base the layer that the sandbox is on and that the tree is the difference to
     * @return whether there is a layer of that key now
     */
    boolean keep(String key, Optional<Layer> base, Filler filler) {
        synchronized (this) {
            if (refused.contains(key)) {
                return false;
            }
        }
        return add(key, base, (folder, uid) -> filler.fill(folder, uid) || !refuse(key));
    }

    private synchronized boolean refuse(String key) {
        LOG.info("A file tree can't be kept, its sandboxes are prepared one by one");
        refused.add(key);
        return true;
    }

    /**
     * Adds a layer.
     *
     * @return whether there is one of that key now
     */
    boolean add(String key, Optional<Layer> base, Filler filler) {
        Layer layer;
        synchronized (this) {
            if (kept.containsKey(key)) {
                return true;
            }
            if (stopped || !room()) {
                return false;
            }
            layer = reserve(base);
        }
        boolean whole = filler.fill(folder.resolve(layer.name()), layer.uid());
        boolean present;
        synchronized (this) {
            if (whole && !stopped && kept.putIfAbsent(key, layer) == null) {
                return true;
            }
            // Somebody else may have kept the same tree meanwhile.
            present = kept.containsKey(key);
        }
        forget(layer);
        return present;
    }

    /** A place for a layer; the one below it stays as long as it does. */
    private Layer reserve(Optional<Layer> base) {
        there++;
        String name = "layer" + made++;
        if (base.isPresent()) {
            inUse.merge(base.get(), 1, Integer::sum);
            return new Layer(name, base.get().uid(), base);
        }
        int number = uids.nextClearBit(0);
        uids.set(number);
        return new Layer(name, firstUid == 0 ? 0 : firstUid + number, base);
    }

    /** Makes room by removing what nobody has used for the longest time. */
    private boolean room() {
        if (there < MOST) {
            return true;
        }
        for (Iterator<Layer> each = kept.values().iterator(); each.hasNext(); ) {
            Layer layer = each.next();
            if (!inUse.containsKey(layer)) {
                each.remove();
                forget(layer);
                return true;
            }
        }
        return false;
    }

    private void forget(Layer layer) {
        FileTrees.remove(folder.resolve(layer.name()));
        synchronized (this) {
            there--;
            if (layer.base().isPresent()) {
                giveBack(layer.base().get());
            } else {
                uids.clear(layer.uid() == 0 ? uids.nextSetBit(0) : layer.uid() - firstUid);
            }
        }
    }

    /** Keeps nothing from now on; what is kept goes with the slots' folder. */
    synchronized void stop() {
        stopped = true;
        kept.clear();
    }
}
