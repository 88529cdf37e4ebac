package dev.millrace.udfs.dataset;

import dev.millrace.udfs.seed.CodePointOrder;
import dev.millrace.udfs.seed.PythonRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.ToDoubleFunction;

/**
 * Holds out whole repositories for evaluation, so that each category has about the same share of
 * its rows held out and keeps repositories to train on. The same rows in the same order and the
 * same seed give the same split, in Python too: ties are broken by {@link PythonRandom}.
 */
public final class RepositorySplit {
    private static final int LEAST_TRAIN_REPOSITORIES = 2;

    private final Map<String, Group> groups = new LinkedHashMap<>();
    private final Map<String, Category> categories = new LinkedHashMap<>();
    private final Set<String> held = new LinkedHashSet<>();
    private final int target;
    private int heldRows;

    private static final class Group {
        private final String name;
        private final Map<String, Integer> rowsByCategory = new LinkedHashMap<>();
        private int rows;
        private double tie;

        Group(String name) {
            this.name = name;
        }
    }

    private static final class Category {
        private int rows;
        private int repositories;
        private int left;
        private int heldRows;
        private double target;
    }

    private RepositorySplit(List<RowKey> rows, long seed, double fraction) {
        for (RowKey row : rows) {
            Group group = groups.computeIfAbsent(row.repository(), Group::new);
            Category category = categories.computeIfAbsent(row.category(), name -> new Category());
            group.rows++;
            category.rows++;
            if (group.rowsByCategory.merge(row.category(), 1, Integer::sum) == 1) {
                category.repositories++;
                category.left++;
            }
        }
        target = (int) Math.rint(fraction * rows.size());
        categories.values().forEach(category -> category.target = fraction * category.rows);
        PythonRandom random = new PythonRandom(seed);
        Set<String> sorted = new TreeSet<>(CodePointOrder.INSTANCE);
        sorted.addAll(groups.keySet());
        sorted.forEach(name -> groups.get(name).tie = random.random());
    }

    /**
     * The repositories to hold out, in the order they were chosen.
     *
     * @param rows all rows, in the order of the dataset
     * @param fraction of the rows that is aimed at
     */
    public static Set<String> heldOut(List<RowKey> rows, long seed, double fraction) {
        RepositorySplit split = new RepositorySplit(rows, seed, fraction);
        split.oneOfEachCategory();
        split.fill();
        return split.held;
    }

    private void oneOfEachCategory() {
        List<String> names = new ArrayList<>(categories.keySet());
        names.sort(
                Comparator.<String>comparingInt(name -> categories.get(name).rows)
                        .thenComparing(CodePointOrder.INSTANCE));
        for (String name : names) {
            Category category = categories.get(name);
            if (category.repositories >= LEAST_TRAIN_REPOSITORIES && category.heldRows == 0) {
                List<Group> inCategory =
                        movable().stream()
                                .filter(group -> group.rowsByCategory.containsKey(name))
                                .toList();
                hold(inCategory, group -> group.rows);
            }
        }
    }

    private void fill() {
        while (heldRows < target) {
            List<Group> movable = movable();
            int remaining = target - heldRows;
            List<Group> fitting =
                    movable.stream().filter(group -> group.rows <= remaining).toList();
            if (!hold(fitting.isEmpty() ? movable : fitting, this::error)) {
                return;
            }
        }
    }

    private boolean hold(List<Group> candidates, ToDoubleFunction<Group> cost) {
        Map<Group, Double> costs = new HashMap<>();
        candidates.forEach(group -> costs.put(group, cost.applyAsDouble(group)));
        Group best =
                candidates.stream()
                        .min(
                                Comparator.<Group>comparingDouble(costs::get)
                                        .thenComparingDouble(group -> group.tie)
                                        .thenComparing(
                                                group -> group.name, CodePointOrder.INSTANCE))
                        .orElse(null);
        if (best == null) {
            return false;
        }
        held.add(best.name);
        heldRows += best.rows;
        best.rowsByCategory.forEach(
                (name, rows) -> {
                    categories.get(name).heldRows += rows;
                    categories.get(name).left--;
                });
        return true;
    }

    /** Distance from the aims, in all rows and in the mean over categories, if it were held out. */
    private double error(Group group) {
        double size = Math.abs(heldRows + group.rows - target) / (double) Math.max(target, 1);
        double sum = 0;
        for (Map.Entry<String, Category> entry : categories.entrySet()) {
            Category category = entry.getValue();
            int moved = group.rowsByCategory.getOrDefault(entry.getKey(), 0);
            sum +=
                    Math.abs(category.heldRows + moved - category.target)
                            / Math.max(category.target, 1.0);
        }
        return size + sum / categories.size();
    }

    private List<Group> movable() {
        return groups.values().stream()
                .filter(group -> !held.contains(group.name))
                .filter(
                        group ->
                                group.rowsByCategory.keySet().stream().allMatch(this::leavesEnough))
                .toList();
    }

    private boolean leavesEnough(String category) {
        return categories.get(category).left - 1 >= LEAST_TRAIN_REPOSITORIES;
    }
}
