package dev.millrace.operators.topic;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.StepEvent;
import java.util.stream.Stream;
import org.apache.flink.types.PojoTestUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class WireTest {

    static Stream<Class<?>> models() {
        return Records.ofTheModel();
    }

    @Test
    void theScanFindsTheModel() {
        assertThat(models()).contains(StepEvent.class, PolicyRef.class).hasSizeGreaterThan(20);
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyRecordComesBackAsItWas(Class<?> type) {
        Object record = Records.filled(type);
        assertThat((Object) Wire.decode(Wire.encode(record), type))
                .usingRecursiveComparison()
                .isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyRecordComesBackWithItsNulls(Class<?> type) {
        Object record = Records.empty(type);
        assertThat((Object) Wire.decode(Wire.encode(record), type)).isEqualTo(record);
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyRecordIsAPojoToFlink(Class<?> type) {
        PojoTestUtils.assertSerializedAsPojoWithoutKryo(type);
    }

    @Test
    void aTopicRecordIsAPojoToFlink() {
        PojoTestUtils.assertSerializedAsPojoWithoutKryo(TopicRecord.class);
    }

    @Test
    void derivedValuesAreNotWritten() {
        assertThat(new String(Wire.encode(new PolicyRef(new PolicyVersion(2, 3), "u")), UTF_8))
                .isEqualTo("{\"version\":{\"epoch\":2,\"step\":3},\"uri\":\"u\"}");
    }

    @Test
    void skipsComponentsItDoesNotKnow() {
        byte[] newer = "{\"epoch\":1,\"step\":2,\"colour\":[{}]}".getBytes(UTF_8);
        assertThat(Wire.decode(newer, PolicyVersion.class)).isEqualTo(new PolicyVersion(1, 2));
    }

    @Test
    void refusesOtherBytesWithoutShowingThem() {
        for (String bytes : new String[] {"", "null", "[1]", "{\"epoch\":\"secret\"}", "\u0000"}) {
            assertThatThrownBy(() -> Wire.decode(bytes.getBytes(UTF_8), PolicyVersion.class))
                    .isInstanceOf(WireException.class)
                    .hasMessageContaining("PolicyVersion")
                    .hasMessageNotContaining("secret");
        }
    }
}
