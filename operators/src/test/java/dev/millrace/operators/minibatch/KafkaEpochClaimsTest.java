package dev.millrace.operators.minibatch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.operators.Samples;
import dev.millrace.operators.topic.SharedBroker;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.lag.Lineage;
import dev.millrace.udfs.minibatch.BatchSettings;
import dev.millrace.udfs.minibatch.EpochClaim;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Reject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.flink.streaming.api.operators.ProcessOperator;
import org.apache.flink.streaming.runtime.streamrecord.StreamRecord;
import org.apache.flink.streaming.util.OneInputStreamOperatorTestHarness;
import org.apache.flink.util.OutputTag;
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

    @Test
    void aLatePublicationOfAnOlderEpochChangesNoClaim() {
        claims.claim(Samples.RUN, 0, 0);
        claims.claim(Samples.RUN, 1, 2);
        SharedBroker.send(topic, 0, Samples.RUN, Wire.encode(Samples.published(1, 3, true)));
        List<PolicyRecord> announced = claims.claim(Samples.RUN, 2, 2);
        assertThat(announced).extracting(PolicyRecord::epoch).containsExactly(1L, 2L, 3L);
        assertThat(last(announced).step()).isEqualTo(2);
    }

    @Test
    void ofTwoAssemblersThatOpenAtOnceEachHasItsOwnEpochAndTheOlderOneIsReplaced()
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(2);
        List<Future<EpochClaim>> futures = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            futures.add(threads.submit(this::claimOfAnAssembler));
        }
        List<EpochClaim> won = List.of(futures.get(0).get(), futures.get(1).get());
        threads.shutdown();
        Lineage lineage = new Lineage();
        Map<Long, String> firsts = new HashMap<>();
        for (var record : SharedBroker.read(topic, 0)) {
            PolicyRecord announced = Wire.decode(record.value(), PolicyRecord.class);
            lineage.add(announced);
            firsts.putIfAbsent(announced.epoch(), announced.nonce());
        }
        assertThat(won).allSatisfy(c -> assertThat(firsts).containsEntry(c.epoch(), c.nonce()));
        assertThat(won).extracting(EpochClaim::epoch).doesNotHaveDuplicates();
        assertThat(won).filteredOn(c -> lineage.isCurrent(c.epoch())).hasSize(1);
    }

    private EpochClaim claimOfAnAssembler() throws Exception {
        BatchSettings settings = new BatchSettings(Samples.RUN, 7, 4, 2, 2, 1, true, false);
        MinibatchAssembler assembler =
                new MinibatchAssembler(
                        List.of(settings),
                        claims,
                        new OutputTag<ProgressRecord>("progress") {},
                        new OutputTag<Reject>("rejects") {});
        try (var harness =
                new OneInputStreamOperatorTestHarness<TopicRecord, LearnInput>(
                        new ProcessOperator<>(assembler))) {
            harness.open();
            harness.processElement(new StreamRecord<>(TopicRecord.caughtUp("groups", 0, 1)));
            return harness.extractOutputValues().get(0).claim();
        }
    }
}
