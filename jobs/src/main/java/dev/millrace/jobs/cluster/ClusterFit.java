package dev.millrace.jobs.cluster;

import dev.millrace.jobs.cluster.ClusterFacts.TaskManagerFacts;
import dev.millrace.pipeline.settings.FlinkSettings;
import dev.millrace.pipeline.settings.Recipe;
import dev.millrace.pipeline.topology.SlotResources;
import dev.millrace.pipeline.topology.TrainTopology;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Whether a cluster can run a recipe. Flink would wait for what isn't there, or put the trainer
 * anywhere, and say neither.
 */
public final class ClusterFit {
    /** The version that the job is built for: another one may not restore its state. */
    static final String FLINK_SERIES = "2.3.";

    private final Recipe recipe;
    private final ClusterFacts facts;

    private ClusterFit(Recipe recipe, ClusterFacts facts) {
        this.recipe = recipe;
        this.facts = facts;
    }

    /**
     * Why the cluster can't run the recipe, with the remedy; empty when it can. A cluster without
     * TaskManagers is taken for one that starts them when they are asked for.
     */
    public static List<String> refusals(Recipe recipe, ClusterFacts facts) {
        return new ClusterFit(recipe, facts).refusals();
    }

    /**
     * What task managers that are still starting may bring, with the remedy; empty when all is
     * there, or nothing can help.
     */
    public static List<String> lacks(Recipe recipe, ClusterFacts facts) {
        ClusterFit fit = new ClusterFit(recipe, facts);
        return fit.unfit().isEmpty() ? fit.missing() : List.of();
    }

    private List<String> refusals() {
        List<String> refusals = new ArrayList<>(unfit());
        refusals.addAll(missing());
        return refusals;
    }

    private List<String> unfit() {
        List<String> refusals = new ArrayList<>();
        if (!facts.flinkVersion().startsWith(FLINK_SERIES)) {
            refusals.add(
                    "the cluster runs Flink "
                            + facts.flinkVersion()
                            + ", the job needs "
                            + FLINK_SERIES
                            + "x");
        }
        if (!facts.scheduler().equals("default")) {
            refusals.add(
                    "jobmanager.scheduler is "
                            + facts.scheduler()
                            + ", must be default: no other one keeps regions and placement");
        }
        return refusals;
    }

    private List<String> missing() {
        List<String> refusals = new ArrayList<>();
        if (!facts.taskManagers().isEmpty()) {
            Optional<String> gpu = recipe.train().gpuResource();
            if (gpu.isPresent()) {
                gpu(gpu.get()).ifPresent(refusals::add);
                rollout().ifPresent(refusals::add);
            } else {
                slots().ifPresent(refusals::add);
            }
        }
        return refusals;
    }

    private Optional<String> slots() {
        int wanted = TrainTopology.slots(recipe.flink());
        int there = facts.taskManagers().stream().mapToInt(TaskManagerFacts::slots).sum();
        return there >= wanted
                ? Optional.empty()
                : Optional.of(
                        "the run needs "
                                + wanted
                                + " slots (flink.parallelism and one for the trainer), the cluster"
                                + " has "
                                + there
                                + ": start task managers or set taskmanager.numberOfTaskSlots");
    }

    private Optional<String> gpu(String resource) {
        boolean there =
                facts.taskManagers().stream().anyMatch(each -> slotsOf(each, resource) >= 1);
        return there
                ? Optional.empty()
                : Optional.of(
                        "train.placement is "
                                + recipe.train().placement()
                                + ", but no task manager offers "
                                + resource
                                + " with "
                                + slotSize()
                                + "; "
                                + offers());
    }

    private Optional<String> rollout() {
        int wanted = recipe.flink().parallelism();
        int there =
                facts.taskManagers().stream()
                        .mapToInt(each -> slotsOf(each, SlotResources.ROLLOUT))
                        .sum();
        return there >= wanted
                ? Optional.empty()
                : Optional.of(
                        "flink.parallelism is "
                                + wanted
                                + ", but the task managers offer "
                                + there
                                + " slots of the resource "
                                + SlotResources.ROLLOUT
                                + " with "
                                + slotSize()
                                + "; "
                                + offers());
    }

    /** Slots of the run's size that a TaskManager can be cut into. */
    private int slotsOf(TaskManagerFacts each, String resource) {
        FlinkSettings flink = recipe.flink();
        double most = each.offers(resource);
        most = Math.min(most, each.cpus() / flink.slotCpus());
        most = Math.min(most, (double) each.heapMb() / flink.slotHeapMb());
        most = Math.min(most, (double) each.managedMb() / flink.slotManagedMb());
        return (int) Math.floor(most + 1e-9);
    }

    private String slotSize() {
        FlinkSettings flink = recipe.flink();
        return flink.slotCpus()
                + " cores, "
                + flink.slotHeapMb()
                + " MiB of heap and "
                + flink.slotManagedMb()
                + " MiB of managed memory";
    }

    private String offers() {
        return facts.taskManagers().stream()
                .map(
                        each ->
                                each.id()
                                        + " has "
                                        + each.cpus()
                                        + " cores, "
                                        + each.heapMb()
                                        + " MiB, "
                                        + each.managedMb()
                                        + " MiB and "
                                        + (each.resources().isEmpty()
                                                ? "no external resource"
                                                : each.resources()))
                .collect(Collectors.joining("; "));
    }
}
