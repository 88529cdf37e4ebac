package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.step.StepMachine;
import java.io.Serializable;

/**
 * What makes one durable step stage different from another.
 *
 * @param machine the rules
 * @param inputType class of I
 * @param runners opens what carries out effects
 * @param journals opens the journal
 * @param runId the run
 * @param steps that it trains; the version that holds them ends training
 * @param watch when standing still is reported
 */
record StepStage<I, O>(
        StepMachine<I, O> machine,
        Class<I> inputType,
        EffectRunnerFactory runners,
        StepJournal.Factory journals,
        String runId,
        long steps,
        WatchSettings watch)
        implements Serializable {

    /** One that is not watched. */
    StepStage(
            StepMachine<I, O> machine,
            Class<I> inputType,
            EffectRunnerFactory runners,
            StepJournal.Factory journals,
            String runId,
            long steps) {
        this(machine, inputType, runners, journals, runId, steps, WatchSettings.OFF);
    }

    StepStage<I, O> watched(WatchSettings settings) {
        return new StepStage<>(machine, inputType, runners, journals, runId, steps, settings);
    }
}
