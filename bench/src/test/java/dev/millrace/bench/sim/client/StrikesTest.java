package dev.millrace.bench.sim.client;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.bench.sim.Services;
import dev.millrace.bench.sim.SimProcess;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A service says when what was asked of it went wrong. */
class StrikesTest {
    @TempDir Path folder;

    @Test
    void aRuleHasStruckOnceACallHasMetIt() throws Exception {
        try (Services services =
                Services.start(SimProcess.Kind.MODEL, folder.resolve("model.jsonl"))) {
            ServiceClient client = new ServiceClient(services.port(), 0);
            ObjectNode rule = ServiceClient.request().put("rule", "model -> 500 once");
            int number = client.call("/faults", rule).join().path("number").asInt();
            ObjectNode question = ServiceClient.request().put("number", number);
            assertThat(at(client, question)).isEqualTo(-1);
            long before = System.currentTimeMillis();
            client.call("/sample", ServiceClient.request()).exceptionally(refused -> null).join();
            assertThat(at(client, question)).isBetween(before, System.currentTimeMillis());
        }
    }

    private static long at(ServiceClient client, ObjectNode question) {
        JsonNode answer = client.call("/strikes", question).join();
        return answer.path("at").asLong();
    }
}
