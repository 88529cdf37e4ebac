package dev.millrace.operators.step;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.operators.topic.CaughtUpFanOut;
import dev.millrace.operators.topic.KafkaCluster;
import dev.millrace.operators.topic.Routes;
import dev.millrace.operators.topic.SharedBroker;
import dev.millrace.operators.topic.TestCluster;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.topic.TopicSink;
import dev.millrace.operators.topic.TopicSource;
import dev.millrace.operators.topic.Wire;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.FinishedAttempt;
import dev.millrace.udfs.model.Lane;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobID;
import org.apache.flink.api.common.JobStatus;
import org.apache.flink.api.common.eventtime.WatermarkStrategy;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;
import org.apache.flink.util.Collector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableStepJobTest {
    private static final String RUN = "job";
    private static final int ITEMS = 50;
    private static final int STEPS = 20;
    private static final long STEP_MILLIS = 250;
    private static final List<String> ROUTES = Routes.keys(128);
    private static final TypeInformation<StepInput> INPUT = TypeInformation.of(StepInput.class);

    private final String items = SharedBroker.newTopic(1);
    private final String turns = SharedBroker.newTopic(2);
    private final String policies = SharedBroker.newTopic(1);
    private final String results = SharedBroker.newTopic(1);
    @TempDir Path dir;

    @Test
    void afterAFailureAtMostOneEffectOfEachItemRunsAgainWheneverItWasAdmitted() throws Exception {
        try (TestCluster cluster = TestCluster.start(dir)) {
            JobID job = cluster.submit(job(cluster));
            cluster.awaitRunning(job);
            admit(0, ITEMS / 2);
            awaitStarts(2 * ITEMS);
            cluster.checkpoint(job);
            admit(ITEMS / 2, ITEMS);
            awaitStarts(8 * ITEMS);
            CountingMachine.FAILING.add(RUN);
            await().atMost(Duration.ofMinutes(2))
                    .until(() -> SharedBroker.read(results, 0).size() >= ITEMS);

            for (String topic : List.of(items, turns, policies)) {
                SharedBroker.sendFinal(topic, 0);
            }
            SharedBroker.sendFinal(turns, 1);
            assertThat(cluster.result(job).get(60, TimeUnit.SECONDS).getJobStatus())
                    .contains(JobStatus.FINISHED);
        }
        assertThat(CountingMachine.FAILING).isEmpty();
        assertThat(results()).hasSize(ITEMS).doesNotHaveDuplicates();
        assertThat(TimedRunner.STARTS).hasSize(ITEMS * STEPS);
        assertThat(repeatsByItem().values()).allMatch(repeats -> repeats <= 1);
    }

    private static void awaitStarts(int count) {
        await().atMost(Duration.ofMinutes(2)).until(() -> TimedRunner.starts() >= count);
    }

    private void admit(int from, int to) {
        for (int i = from; i < to; i++) {
            String route = ROUTES.get(i * 5 % ROUTES.size());
            Admission item = CountingMachine.item(RUN, i, STEPS, Lane.TRAIN, route);
            SharedBroker.send(items, 0, route, Wire.encode(item));
        }
    }

    private List<String> results() {
        return SharedBroker.read(results, 0).stream()
                .map(r -> Wire.decode(r.value(), FinishedAttempt.class))
                .map(f -> f.admission().attemptId() + " after " + f.turns())
                .toList();
    }

    private static Map<String, Integer> repeatsByItem() {
        return TimedRunner.STARTS.entrySet().stream()
                .collect(
                        Collectors.groupingBy(
                                e -> e.getKey().substring(0, e.getKey().indexOf('#')),
                                Collectors.summingInt(e -> e.getValue().get() - 1)));
    }

    private StreamExecutionEnvironment job(TestCluster cluster) {
        StreamExecutionEnvironment env = cluster.environment(Duration.ofHours(1), 10);
        env.setParallelism(2);
        DataStream<StepInput> edge =
                source(env, items, 1).flatMap(new Items()).setParallelism(1).uid("edge");
        DataStream<StepInput> journal =
                source(env, turns, 2)
                        .flatMap(new CaughtUpFanOut(ROUTES.size()))
                        .uid("fan-out")
                        .map(StepInput::of, INPUT)
                        .uid("journal");
        edge.union(journal)
                .keyBy(StepInput::route)
                .connect(source(env, policies, 1).broadcast())
                .transform(
                        "steps",
                        TypeInformation.of(FinishedAttempt.class),
                        DurableStepFactory.of(
                                new CountingMachine(),
                                Admission.class,
                                (subtask, all, fence) -> new TimedRunner(STEP_MILLIS),
                                KafkaCluster.at(SharedBroker.bootstrap()),
                                turns,
                                List.of(RUN),
                                1))
                .uid("steps")
                .sinkTo(
                        TopicSink.<FinishedAttempt>of(
                                KafkaCluster.at(SharedBroker.bootstrap()),
                                results,
                                f -> f.admission().runId()))
                .uid("results");
        return env;
    }

    private static SingleOutputStreamOperator<TopicRecord> source(
            StreamExecutionEnvironment env, String topic, int readers) {
        return env.fromSource(
                        new TopicSource(KafkaCluster.at(SharedBroker.bootstrap()), topic),
                        WatermarkStrategy.noWatermarks(),
                        topic)
                .setParallelism(readers)
                .uid(topic);
    }

    /** The items' own edge: their records, decoded. */
    static final class Items implements FlatMapFunction<TopicRecord, StepInput> {
        private static final long serialVersionUID = 1L;

        @Override
        public void flatMap(TopicRecord record, Collector<StepInput> out) {
            if (record.kind() == TopicRecord.Kind.DATA) {
                out.collect(StepInput.of(Wire.decode(record.value(), Admission.class)));
            }
        }
    }
}
