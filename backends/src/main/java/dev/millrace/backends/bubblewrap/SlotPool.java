package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.sandbox.Watchdog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/** Slots that wait for their next sandbox. */
final class SlotPool implements AutoCloseable {
    private static final int MOST_IDLE = 32;

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

    Slot take() throws IOException {
        int number;
        synchronized (this) {
            if (closed) {
                throw new IOException("the sandbox provider is closed");
            }
            Slot slot = idle.poll();
            if (slot != null) {
                return slot;
            }
            number = used.nextClearBit(0);
            used.set(number);
        }
        Slot made = null;
        try {
            Cgroup cgroup = tree.create(stamp, "slot" + number);
            int uid = firstUid == 0 ? 0 : firstUid + number;
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
        Slot.removeFolder(folder);
    }
}
