package dev.millrace.jobs.view;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import java.util.List;

/** Passes records on to those who follow the runs of a job; each takes those of its run. */
public final class EachRun implements RunRecords {
    private final List<? extends RunRecords> runs;

    /** Passes on to these, in this order. */
    public EachRun(List<? extends RunRecords> runs) {
        this.runs = List.copyOf(runs);
    }

    @Override
    public void group(GroupRecord group, long millis) {
        runs.forEach(run -> run.group(group, millis));
    }

    @Override
    public void policy(PolicyRecord policy, long millis) {
        runs.forEach(run -> run.policy(policy, millis));
    }

    @Override
    public void progress(ProgressRecord progress, long millis) {
        runs.forEach(run -> run.progress(progress, millis));
    }

    @Override
    public void step(StepEvent event, long millis) {
        runs.forEach(run -> run.step(event, millis));
    }

    @Override
    public void reject(Reject reject, long millis) {
        runs.forEach(run -> run.reject(reject, millis));
    }
}
