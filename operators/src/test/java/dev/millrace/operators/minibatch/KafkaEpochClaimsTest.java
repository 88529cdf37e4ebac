package dev.millrace.operators.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.SharedBroker;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.PolicyRecord;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

class KafkaEpochClaimsTest {
    private final String topic = SharedBroker.newTopic(1);
    private final KafkaEpochClaims claims =
            new KafkaEpochClaims(Map.of("bootstrap.servers", SharedBroker.bootstrap()), topic);

    private static PolicyRecord last(List<PolicyRecord> announced) {
        return announced.get(announced.size() - 1);
    }

    @Test
    void claimsOneMoreThanAnyEpochThatWasEverSeen() {
        PolicyRecord first = last(claims.claim(Samples.RUN, 0, 0));
        assertThat(first.epoch()).isEqualTo(1);
        SharedBroker.send(topic, 0, Samples.RUN, Wire.encode(Samples.published(4, 9, false)));
        SharedBroker.send(topic, 0, "other", Wire.encode(Samples.published(8, 9, false)));
        SharedBroker.send(topic, 0, Samples.RUN, new byte[] {1});
        List<PolicyRecord> announced = claims.claim(Samples.RUN, 1, 3);
        assertThat(announced).hasSize(2);
        assertThat(announced.get(0)).isEqualTo(first);
        PolicyRecord second = last(announced);
        assertThat(second.epoch()).isEqualTo(5);
        assertThat(second.parentEpoch()).isEqualTo(1);
        assertThat(second.step()).isEqualTo(3);
        assertThat(last(claims.claim(Samples.RUN, 7, 3)).epoch()).isEqualTo(8);
    }

    @Test
    void twoThatClaimAtOnceEndWithDifferentEpochs() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<List<PolicyRecord>>> futures = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            futures.add(threads.submit(() -> claims.claim(Samples.RUN, 0, 0)));
        }
        HashSet<Long> epochs = new HashSet<>();
        for (Future<List<PolicyRecord>> future : futures) {
            epochs.add(last(future.get()).epoch());
        }
        threads.shutdown();
        assertThat(epochs).hasSize(4);
    }
}
