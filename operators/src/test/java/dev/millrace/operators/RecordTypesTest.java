package dev.millrace.operators;

import static org.apache.flink.types.PojoTestUtils.assertSerializedAsPojoWithoutKryo;

import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.GradedAttempt;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RecordTypesTest {
    @ParameterizedTest
    @ValueSource(
            classes = {
                LearnInput.class,
                Admission.class,
                GradedAttempt.class,
                GroupRecord.class,
                PolicyRecord.class,
                ProgressRecord.class,
                Reject.class
            })
    void travelBetweenStagesWithoutKryo(Class<?> type) {
        assertSerializedAsPojoWithoutKryo(type);
    }
}
