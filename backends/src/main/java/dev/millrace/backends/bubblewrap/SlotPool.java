package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/** Slots that wait for their next sandbox. */
final class SlotPool implements AutoCloseable {
    /** File with the filter of system calls, empty where there is none. */
    static final String FILTER = "filter";

    /** The same for sandboxes whose user is called root. */
    static final String ROOT_FILTER = "filter-root";

    private static final int MOST_IDLE = 32;

    private static final int SLOT_UIDS = HostProbe.MOST_SLOTS - Layers.uidCount();

    private final Path folder;
    private final String stamp;
    private final int firstUid;
    private final CgroupTree tree;
    private final LaunchThread launch;
    private final Watchdog watchdog;
    private final ArrayDeque<Slot> idle = new ArrayDeque<>();
    private final Map<Slot, Integer> numbers = new HashMap<>();
    private final BitSet used = new BitSet();
    private boolean closed;

    /**
     * @param firstUid host id of the first slot; 0 when ids can't be changed
     */
    SlotPool(
            Path folder,
            String stamp,
            int firstUid,
            CgroupTree tree,
            LaunchThread launch,
            Watchdog watchdog) {
        this.folder = folder;
        this.stamp = stamp;
        this.firstUid = firstUid;
        this.tree = tree;
        this.launch = launch;
        this.watchdog = watchdog;
    }

    /**
     * A slot, made when none waits.
     *
     * @param layerUid host id that it must have; 0 for one that it shares with no other
     */
    Slot take(int layerUid) throws IOException {
        int number;
        synchronized (this) {
            if (closed) {
                throw new IOException("the sandbox provider is closed");
            }
            Slot slot = waiting(layerUid);
            if (slot != null) {
                return slot;
            }
            number = used.nextClearBit(0);
            used.set(number);
        }
        Slot made = null;
        try {
            Cgroup cgroup = tree.create(stamp, "slot" + number);
            int own = firstUid == 0 ? 0 : firstUid + number;
            int uid = layerUid == 0 ? own : layerUid;
            made = Slot.make(folder.resolve("slot" + number), uid, cgroup, launch, watchdog);
            return made;
        } finally {
            synchronized (this) {
                if (made == null) {
                    used.clear(number);
                } else {
                    numbers.put(made, number);
                }
            }
        }
    }

    private Slot waiting(int layerUid) {
        for (Iterator<Slot> each = idle.iterator(); each.hasNext(); ) {
            Slot slot = each.next();
            boolean fits =
                    layerUid == 0
                            ? firstUid == 0 || slot.uid < firstUid + SLOT_UIDS
                            : slot.uid == layerUid;
            if (fits) {
                each.remove();
                return slot;
            }
        }
        return null;
    }

    /** Takes a slot back. One that is not clean is ended, never used again. */
    void giveBack(Slot slot, boolean clean) {
        synchronized (this) {
            if (clean && !closed && idle.size() < MOST_IDLE) {
                idle.push(slot);
                return;
            }
        }
        boolean gone = slot.discard();
        synchronized (this) {
            Integer number = numbers.remove(slot);
            // The number, and with it the host id, stays taken while something of it may live.
            if (gone && number != null) {
                used.clear(number);
            }
        }
    }

    /** The first host id for layers; 0 when ids can't be changed. */
    static int firstLayerUid(int firstUid) {
        return firstUid == 0 ? 0 : firstUid + SLOT_UIDS;
    }

    @Override
    public void close() {
        while (true) {
            Slot slot;
            synchronized (this) {
                closed = true;
                slot = idle.poll();
            }
            if (slot == null) {
                break;
            }
            slot.discard();
        }
        tree.remove(stamp);
        FileTrees.remove(folder);
    }
}
