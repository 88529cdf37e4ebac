package dev.millrace.backends.bubblewrap;

import java.nio.file.Path;
import java.util.BitSet;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * File trees on the host that many sandboxes start from, each kept once. A sandbox sees its layer
 * through an overlay: what it changes is its own. The files of a layer belong to one host id, under
 * which all sandboxes on it run.
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
    private final LayerArchive archive;
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
    private boolean stopped;

    /**
     * @param folder of the pool of slots
     * @param firstUid the first of the host ids for layers; 0 when ids can't be changed
     */
    Layers(Path folder, int firstUid, LayerArchive archive) {
        this.folder = folder.resolve(FOLDER);
        this.firstUid = firstUid;
        this.archive = archive;
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
     */
    record Layer(String name, int uid) {}

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
     * Keeps a tree, unless that was tried before and failed.
     *
     * @return whether there is a layer of that key now
     */
    boolean keep(String key, LayerArchive.Source source) {
        Layer layer;
        synchronized (this) {
            if (kept.containsKey(key)) {
                return true;
            }
            if (stopped || refused.contains(key) || !room()) {
                return false;
            }
            int number = uids.nextClearBit(0);
            uids.set(number);
            layer = new Layer("layer" + made++, firstUid == 0 ? 0 : firstUid + number);
        }
        boolean whole = archive.unpack(source, folder.resolve(layer.name()), layer.uid());
        boolean there;
        synchronized (this) {
            if (whole && !stopped && kept.putIfAbsent(key, layer) == null) {
                return true;
            }
            // Somebody else may have kept the same tree meanwhile.
            there = kept.containsKey(key);
            if (!whole) {
                refused.add(key);
                LOG.info("A file tree can't be kept, its sandboxes are prepared one by one");
            }
        }
        forget(layer);
        return there;
    }

    /** Makes room by removing what nobody has used for the longest time. */
    private boolean room() {
        if (uids.cardinality() < MOST) {
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
            uids.clear(layer.uid() == 0 ? uids.nextSetBit(0) : layer.uid() - firstUid);
        }
    }

    /** Keeps nothing from now on; what is kept goes with the slots' folder. */
    synchronized void stop() {
        stopped = true;
        kept.clear();
    }
}
