package dev.millrace.operators.train;

import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import org.apache.flink.streaming.api.operators.AbstractStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.OneInputStreamOperatorFactory;
import org.apache.flink.streaming.api.operators.StreamOperator;
import org.apache.flink.streaming.api.operators.StreamOperatorParameters;

/** Makes the operator of the trainer stage, for {@code stream.transform}. */
public final class TrainerFactory extends AbstractStreamOperatorFactory<PolicyRecord>
        implements OneInputStreamOperatorFactory<LearnInput, PolicyRecord> {
    private static final long serialVersionUID = 1L;

    private final TrainerParts parts;

    /** A factory for these parts. */
    public TrainerFactory(TrainerParts parts) {
        this.parts = parts;
    }

    @Override
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as inherited
    public <T extends StreamOperator<PolicyRecord>> T createStreamOperator(
            StreamOperatorParameters<PolicyRecord> parameters) {
        return (T) new TrainerOperator(parameters, parts);
    }

    @Override
    @SuppressWarnings("rawtypes")
    public Class<? extends StreamOperator> getStreamOperatorClass(ClassLoader classLoader) {
        return TrainerOperator.class;
    }
}
