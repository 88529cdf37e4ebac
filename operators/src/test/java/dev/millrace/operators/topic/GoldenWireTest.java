package dev.millrace.operators.topic;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.operators.Golden;
import dev.millrace.udfs.model.RowPosition;
import dev.millrace.udfs.model.Spoken;
import dev.millrace.udfs.model.StepAccounts;
import dev.millrace.udfs.model.StepEnd;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the first version wrote is read for ever. */
class GoldenWireTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** Records that came later; each of them is optional in the records of the first version. */
    private static final Set<Class<?>> LATER =
            Set.of(StepAccounts.class, Spoken.class, RowPosition.class, StepEnd.class);

    static Stream<Class<?>> models() {
        return Records.ofTheModel().filter(type -> !LATER.contains(type));
    }

    @ParameterizedTest
    @MethodSource("models")
    void everyRecordIsReadWithAllThatItHeld(Class<?> type) throws IOException {
        JsonNode written = golden(type);
        assertThat(lost(written, reread(written, type), "")).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("models")
    void whatAFutureVersionAddsIsSkipped(Class<?> type) throws IOException {
        JsonNode written = golden(type);
        JsonNode newer = written.deepCopy();
        extend(newer);
        assertThat(reread(newer, type)).isEqualTo(reread(written, type));
    }

    @ParameterizedTest
    @MethodSource("models")
    void aComponentThatIsMissingIsNullOrZero(Class<?> type) throws IOException {
        ObjectNode written = (ObjectNode) golden(type);
        List<String> names = new ArrayList<>();
        written.fieldNames().forEachRemaining(names::add);
        for (String name : names) {
            ObjectNode older = written.deepCopy();
            older.remove(name);
            JsonNode value = reread(older, type).get(name);
            assertThat(value.isNull() || value.asText().matches("0|0\\.0|false"))
                    .as("%s of %s is %s", name, type, value)
                    .isTrue();
            assertThat(lost(older, reread(older, type), "")).isEmpty();
        }
    }

    private static JsonNode golden(Class<?> type) throws IOException {
        return JSON.readTree(Golden.bytes("wire/" + type.getSimpleName() + ".json"));
    }

    private static JsonNode reread(JsonNode written, Class<?> type) throws IOException {
        Object record = Wire.decode(JSON.writeValueAsBytes(written), type);
        return JSON.readTree(Wire.encode(record));
    }

    /** Components that were written and did not come back as they were. */
    private static List<String> lost(JsonNode written, JsonNode read, String path) {
        List<String> lost = new ArrayList<>();
        if (written.isObject() && read != null && read.isObject()) {
            Iterator<Map.Entry<String, JsonNode>> parts = written.fields();
            while (parts.hasNext()) {
                Map.Entry<String, JsonNode> part = parts.next();
                lost.addAll(
                        lost(part.getValue(), read.get(part.getKey()), path + "." + part.getKey()));
            }
        } else if (written.isArray() && read != null && written.size() == read.size()) {
            for (int i = 0; i < written.size(); i++) {
                lost.addAll(lost(written.get(i), read.get(i), path + "[" + i + "]"));
            }
        } else if (!written.equals(read)) {
            lost.add(path + " was " + written + " and is " + read);
        }
        return lost;
    }

    /** Adds a component to every record in a record; maps have one key, k. */
    private static void extend(JsonNode node) {
        node.forEach(GoldenWireTest::extend);
        if (node instanceof ObjectNode object && !object.has("k")) {
            object.putObject("newer").putArray("parts").add(1);
        }
    }
}
