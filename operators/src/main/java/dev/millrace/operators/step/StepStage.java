package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.step.StepMachine;
import java.io.Serializable;
import java.util.List;

/**
 * What makes one durable step stage different from another.
 *
 * @param machine the rules
 * @param inputType class of I
 * @param runners opens what carries out effects
 * @param journals opens the journal
 * @param runs the runs of the job
 * @param steps that each trains; the version that holds them ends training
 * @param watch when standing still is reported
 */
record StepStage<I, O>(
        StepMachine<I, O> machine,
        Class<I> inputType,
        EffectRunnerFactory runners,
        StepJournal.Factory journals,
        List<String> runs,
        long steps,
        WatchSettings watch)
        implements Serializable {
    /** Copies the list. */
    StepStage {
        runs = List.copyOf(runs);
    }

    /** One that is not watched. */
    StepStage(
            StepMachine<I, O> machine,
            Class<I> inputType,
            EffectRunnerFactory runners,
            StepJournal.Factory journals,
            List<String> runs,
            long steps) {
        this(machine, inputType, runners, journals, runs, steps, WatchSettings.OFF);
    }

    StepStage<I, O> watched(WatchSettings settings) {
        return new StepStage<>(machine, inputType, runners, journals, runs, steps, settings);
    }

    /** The run that something is said of when it is the only one; empty when it can be any. */
    String onlyRun() {
        return runs.size() == 1 ? runs.get(0) : "";
    }
}
