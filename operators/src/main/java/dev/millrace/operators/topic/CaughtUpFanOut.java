package dev.millrace.operators.topic;

import java.util.List;
import org.apache.flink.api.common.functions.FlatMapFunction;
import org.apache.flink.util.Collector;
import org.apache.flink.util.function.SerializableFunction;

/**
 * Sends a topic to a stage that is keyed by route: records pass, and each CAUGHT_UP is repeated for
 * every key group, so that it reaches every parallel instance on the very channel that carried the
 * records before it. Final markers end here. Must be chained to its source: same parallelism,
 * forward.
 */
public final class CaughtUpFanOut implements FlatMapFunction<TopicRecord, TopicRecord> {
    private static final long serialVersionUID = 1L;

    private final List<String> routes;
    private final SerializableFunction<TopicRecord, Boolean> wanted;

    /**
     * Lets all records pass.
     *
     * @param maxParallelism of the keyed stage
     */
    public CaughtUpFanOut(int maxParallelism) {
        this(maxParallelism, record -> true);
    }

    /**
     * Lets some records pass.
     *
     * @param maxParallelism of the keyed stage
     * @param wanted which records; asked for DATA only
     */
    public CaughtUpFanOut(int maxParallelism, SerializableFunction<TopicRecord, Boolean> wanted) {
        this.routes = Routes.keys(maxParallelism);
        this.wanted = wanted;
    }

    @Override
    public void flatMap(TopicRecord record, Collector<TopicRecord> out) {
        switch (record.kind()) {
            case DATA -> {
                if (wanted.apply(record)) {
                    out.collect(record);
                }
            }
            case CAUGHT_UP -> routes.forEach(route -> out.collect(record.withKey(route)));
            case FINAL -> {
                // The end of the input says it.
            }
        }
    }
}
