package dev.millrace.jobs.view;

import static dev.millrace.jobs.view.Samples.RUN;

import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Verdict;

/** A made-up run in its middle, and at its end. */
final class SampleRun {
    private static final PolicyVersion V0 = new PolicyVersion(1, 0);

    private SampleRun() {}

    static RunView middle() {
        RunView view = new RunView(Samples.SHAPE);
        feedMiddle(view);
        return view;
    }

    static RunView end() {
        RunView view = middle();
        PolicyVersion last = new PolicyVersion(1, 10);
        for (int step = 5; step <= 10; step++) {
            view.policy(Samples.publication(1, step), 6000L * step);
            if (step < 10) {
                view.progress(Samples.taken(1, 2 * step, step - 1), 0);
            }
        }
        view.group(Samples.train(30, V0, Verdict.CANCELLED, "run_ended", 0), 0);
        view.group(Samples.eval(1, last, false, 1, 1, 1, 0), 0);
        view.group(Samples.eval(2, last, false, 1, 1, 1, 1), 0);
        for (int task = 0; task < 3; task++) {
            view.group(Samples.eval(task, last, true, 1), 0);
        }
        return view;
    }

    static void feedMiddle(RunRecords view) {
        view.policy(Samples.announce(1, 0, 0), 0);
        for (int task = 0; task < 3; task++) {
            view.group(Samples.eval(task, V0, false, 1, 0, 0, 1), 0);
            view.group(Samples.eval(task, V0, true, task == 0 ? 0 : 1), 0);
        }
        for (int step = 0; step <= 4; step++) {
            view.policy(Samples.publication(1, step), 6000L * step);
        }
        for (int i = 0; i < 20; i++) {
            PolicyVersion played = new PolicyVersion(1, i / 5);
            view.group(Samples.mixed(i, played, 0.3 + i * 0.03), 0);
        }
        view.group(Samples.train(20, V0, Verdict.CONSTANT, "constant", 1), 0);
        for (int i = 0; i < 8; i++) {
            view.progress(Samples.taken(1, i, i / 2), 0);
        }
        view.progress(Samples.dropped(1, 9, "stale"), 0);
        for (int i = 0; i < 3; i++) {
            view.step(Samples.admitted(RUN + "/g30", i, Lane.TRAIN), 20_000);
            view.step(Samples.step(RUN + "/g30", i, StepEvent.Kind.SAMPLED), 24_000);
        }
        view.group(Samples.eval(0, new PolicyVersion(1, 10), false, 1, 1, 1, 0), 0);
        view.reject(new Reject(RUN, "gate", "undecodable", "k", "d"), 0);
    }
}
