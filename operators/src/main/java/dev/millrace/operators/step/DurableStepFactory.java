package dev.millrace.operators.step;

import dev.millrace.backends.port.EffectRunnerFactory;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.udfs.model.Reject;
import dev.millrace.udfs.step.StepMachine;
import java.util.List;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;
import org.apache.flink.streaming.api.operators.TwoInputStreamOperatorFactory;
import org.apache.flink.util.OutputTag;

/**
 * Makes the operator of a durable step stage: {@code keyedByRoute.connect(policies.broadcast())
 * .transform(name, outputType, factory)}. The first input carries the stage's items and, through a
 * fan-out of marks, its journal; the second the policies of the runs.
 *
 * <p>Every item gives one output. An item and what happened to it count from the moment they are
 * read back from the journal, so after a failure at most the effects that were under way are
 * carried out again, however old the checkpoint is.
 *
 * @param <I> what the stage takes: Admission or FinishedAttempt
 * @param <O> what it gives
 */
public final class DurableStepFactory<I, O> extends AbstractStreamOperatorFactory<O>
        implements TwoInputStreamOperatorFactory<StepInput, TopicRecord, O> {
    private static final long serialVersionUID = 1L;

    /** Records that can't be decoded, and what a person should look at. */
    public static final OutputTag<Reject> REJECTS =
            new OutputTag<>("rejects", TypeInformation.of(Reject.class));

    private final StepStage<I, O> stage;

    DurableStepFactory(StepStage<I, O> stage) {
        this.stage = stage;
    }

    /**
     * A stage whose journal is a topic.
     *
     * @param machine the rules
     * @param inputType class of I
     * @param runners opens what carries out effects
     * @param cluster where the journal is
     * @param journalTopic full name of the topic {@code turns}
     * @param runs the runs of the job; what others wrote is counted and skipped
     * @param steps that each trains; the version that holds them ends training
     */
    public static <I, O> DurableStepFactory<I, O> of(
            StepMachine<I, O> machine,
            Class<I> inputType,
            EffectRunnerFactory runners,
            KafkaCluster cluster,
            String journalTopic,
            List<String> runs,
            long steps) {
        return new DurableStepFactory<>(
                new StepStage<>(
                        machine,
                        inputType,
                        runners,
                        TopicJournal.in(cluster, journalTopic),
                        runs,
                        steps));
    }

    /** The same stage under watch. */
    public DurableStepFactory<I, O> watched(WatchSettings settings) {
        return new DurableStepFactory<>(stage.watched(settings));
    }

    @Override
    // The interface leaves the operator's type to its caller.
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    public <T extends StreamOperator<O>> T createStreamOperator(
            StreamOperatorParameters<O> parameters) {
        return (T) new DurableStepOperator<>(parameters, stage);
    }

    @Override
    @SuppressWarnings("rawtypes") // As declared by the interface.
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return DurableStepOperator.class;
    }
}
