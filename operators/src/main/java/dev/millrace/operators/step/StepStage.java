package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunnerFactory;
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
 */
record StepStage<I, O>(
        StepMachine<I, O> machine,
        Class<I> inputType,
        EffectRunnerFactory runners,
        StepJournal.Factory journals,
        String runId,
        long steps)
        implements Serializable {}
