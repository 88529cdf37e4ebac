package dev.millrace.jobs.view;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.StepAccounts;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Looks for what contradicts offered = trained + dropped + open, in what the topics say of each
 * group, and in the balances that the gate gave out.
 */
final class GroupAudit {
    private final long published;
    private final int groupsPerBatch;
    private final List<String> violations = new ArrayList<>();
    private final TreeMap<Long, List<String>> steps = new TreeMap<>();
    private final List<String> unadmitted = new ArrayList<>();
    private final List<String> unclosed = new ArrayList<>();

    /**
     * @param published steps in the newest weights
     */
    GroupAudit(long published, int groupsPerBatch) {
        this.published = published;
        this.groupsPerBatch = groupsPerBatch;
    }

    /**
     * Takes a group.
     *
     * @param closed how it was closed, or null
     * @param progress what was said of it, as far as it counts, or null
     */
    void group(String groupId, boolean admitted, GroupRecord closed, ProgressRecord progress) {
        boolean taken = progress != null && progress.kind() == ProgressRecord.Kind.TAKEN;
        if (taken && progress.step() < published) {
            steps.computeIfAbsent(progress.step(), step -> new ArrayList<>()).add(groupId);
        }
        if (taken && closed != null && !closed.verdict().trains()) {
            violations.add(groupId + " is " + closed.verdict() + " but was taken");
        }
        if (taken && !admitted) {
            unadmitted.add(groupId);
        }
        if (taken && closed == null) {
            unclosed.add(groupId);
        }
    }

    /** Takes a balance that the gate gave out for a version that counts. */
    void balance(ProgressRecord balance) {
        StepAccounts accounts = balance.accounts();
        String version = "the balance of v" + balance.epoch() + "." + balance.step();
        accounts.violations().forEach(each -> violations.add(version + ": " + each));
        long dropped = accounts.dropped().values().stream().mapToLong(Long::longValue).sum();
        if (accounts.offered() != accounts.trained() + dropped + accounts.open()) {
            violations.add(version + " does not add up: " + accounts);
        }
        if (accounts.trained() != balance.step() * groupsPerBatch) {
            violations.add(version + " has " + accounts.trained() + " trained groups");
        }
    }

    /**
     * What is wrong.
     *
     * @param complete whether every topic was read to the end of the run, so that what is missing
     *     is not merely still to come
     */
    List<String> violations(boolean complete) {
        List<String> all = new ArrayList<>(violations);
        for (Map.Entry<Long, List<String>> step : steps.entrySet()) {
            if (step.getValue().size() > groupsPerBatch) {
                all.add("step " + step.getKey() + " was trained on " + step.getValue());
            }
        }
        if (complete) {
            unadmitted.forEach(id -> all.add(id + " was taken but never admitted"));
            unclosed.forEach(id -> all.add(id + " was taken but never closed"));
            for (long step = 0; step < published; step++) {
                List<String> groups = steps.getOrDefault(step, List.of());
                if (groups.size() < groupsPerBatch) {
                    all.add("step " + step + " was trained on " + groups + " only");
                }
            }
        }
        return all;
    }
}
