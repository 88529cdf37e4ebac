package dev.millrace.udfs.admission;

import dev.millrace.udfs.model.Admission;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;

/**
 * The rollout slots of a job, and the runs that share them by {@link SlotShares}. Each run decides
 * by its own book what it plays next; here is decided whose turn it is.
 *
 * <p>Runs come to their first training attempts one after another. For two minutes from the first
 * one on, nobody takes more than its share while others are not so far: else the first would take
 * all slots, and the others would wait for its attempts to end.
 *
 * <p>A book is asked again only after {@link #changed}, so that a run costs nothing while nothing
 * happens to it. Not thread-safe.
 */
public final class SharedSlots {
    private static final long BEGINNING_MILLIS = 120_000;

    private final int slots;
    private final List<AdmissionBook> books;
    private final List<Map<String, Integer>> routes = new ArrayList<>();
    private final SlotShares shares;
    private final Set<Integer> changed = new TreeSet<>();
    private final int[] occupied;
    private final double[] share;
    private long beginningEnds = Long.MAX_VALUE;

    /**
     * Nothing is known to have changed yet.
     *
     * @param slots attempts that may be open at a time, of all runs
     * @param books of the runs
     * @param weights of the runs, in the same order; a run gets its part of their sum
     */
    public SharedSlots(int slots, List<AdmissionBook> books, List<Double> weights) {
        this.slots = slots;
        this.books = List.copyOf(books);
        this.shares = new SlotShares(slots, weights.stream().mapToDouble(w -> w).toArray());
        double total = weights.stream().mapToDouble(w -> w).sum();
        this.share = weights.stream().mapToDouble(w -> w / total * slots).toArray();
        this.occupied = new int[books.size()];
        books.forEach(book -> routes.add(Map.of()));
    }

    /** Something was heard of a run. */
    public void changed(AdmissionBook book) {
        changed.add(books.indexOf(book));
    }

    /**
     * Admits what may begin now.
     *
     * @param admissionIds gives a new random id at each call
     * @param nowMillis a clock that goes on between the calls
     * @return attempts to play, whole groups
     */
    public List<Admission> admit(Supplier<String> admissionIds, long nowMillis) {
        shares.pass(nowMillis);
        List<Admission> admissions = new ArrayList<>();
        for (int run : changed) {
            admissions.addAll(books.get(run).admitAgain());
            look(run);
        }
        changed.clear();
        boolean beginning = beginning(nowMillis);
        int run = next(beginning);
        while (run >= 0) {
            admissions.addAll(books.get(run).admitGroup(admissionIds, others(run)));
            look(run);
            run = next(beginning);
        }
        return admissions;
    }

    private int next(boolean beginning) {
        return occupied() < slots
                ? shares.next(run -> !beginning || occupied[run] < share[run])
                : -1;
    }

    private boolean beginning(long nowMillis) {
        boolean some = books.stream().anyMatch(AdmissionBook::begun);
        if (some && beginningEnds == Long.MAX_VALUE) {
            beginningEnds = nowMillis + BEGINNING_MILLIS;
        }
        return nowMillis < beginningEnds && !books.stream().allMatch(AdmissionBook::begun);
    }

    private void look(int run) {
        AdmissionBook book = books.get(run);
        occupied[run] = book.occupiedSlots();
        routes.set(run, book.occupiedRoutes());
        shares.note(run, occupied[run], book.wantsSlots());
    }

    private int occupied() {
        int all = 0;
        for (int ofRun : occupied) {
            all += ofRun;
        }
        return all;
    }

    private Map<String, Integer> others(int run) {
        Map<String, Integer> others = new HashMap<>();
        for (int other = 0; other < routes.size(); other++) {
            if (other != run) {
                routes.get(other).forEach((route, open) -> others.merge(route, open, Integer::sum));
            }
        }
        return others;
    }
}
