package dev.millrace.operators.reference;

import dev.millrace.backends.port.BackendFactory;
import dev.millrace.backends.port.Sampler;
import dev.millrace.backends.port.TrajectoryStore;
import dev.millrace.udfs.minibatch.LearnInput;
import dev.millrace.udfs.model.MinibatchItem;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.Reject;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.api.common.functions.OpenContext;
import org.apache.flink.streaming.api.datastream.AsyncDataStream;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.async.ResultFuture;
import org.apache.flink.streaming.api.functions.async.RichAsyncFunction;

/**
 * Adds to each attempt of a minibatch where its log-probabilities under the reference policy lie.
 * An attempt for which there are none leaves the minibatch, with a cause; the normaliser stays.
 */
public final class ReferenceLogprobs extends RichAsyncFunction<LearnInput, LearnInput> {
    private static final long serialVersionUID = 1L;
    private static final int READERS = 2;
    private static final long CLOSE_SECONDS = 5;

    private final long epoch;
    private final long step;
    private final String uri;
    private final BackendFactory<Sampler> samplers;
    private final BackendFactory<TrajectoryStore> stores;
    private final boolean all;
    private transient Sampler sampler;
    private transient ExecutorService io;
    private transient ReferenceItems items;

    /**
     * @param reference the policy to stay close to
     * @param samplers opens what serves it
     * @param stores opens where trajectories lie and results go
     * @param all whether an attempt without log-probabilities fails the task, so that it is asked
     *     for again, instead of leaving its minibatch
     */
    public ReferenceLogprobs(
            PolicyRef reference,
            BackendFactory<Sampler> samplers,
            BackendFactory<TrajectoryStore> stores,
            boolean all) {
        this.epoch = reference.version().epoch();
        this.step = reference.version().step();
        this.uri = reference.uri();
        this.samplers = samplers;
        this.stores = stores;
        this.all = all;
    }

    /**
     * Puts the stage behind the assembler, in order and without retry.
     *
     * @param timeoutMillis after which a minibatch goes on without what is missing
     * @param capacity minibatches under way; more than can ever be, so that it never fills
     */
    public static SingleOutputStreamOperator<LearnInput> attach(
            DataStream<LearnInput> minibatches,
            ReferenceLogprobs stage,
            long timeoutMillis,
            int capacity) {
        return AsyncDataStream.orderedWait(
                minibatches, stage, timeoutMillis, TimeUnit.MILLISECONDS, capacity);
    }

    @Override
    public void open(OpenContext context) {
        sampler = samplers.open();
        io =
                Executors.newFixedThreadPool(
                        READERS,
                        task -> {
                            Thread thread = new Thread(task, "reference-io");
                            thread.setDaemon(true);
                            return thread;
                        });
        PolicyRef reference = new PolicyRef(new PolicyVersion(epoch, step), uri);
        items = new ReferenceItems(reference, sampler, stores.open(), io);
    }

    @Override
    public void asyncInvoke(LearnInput input, ResultFuture<LearnInput> result) {
        if (input.minibatch() == null) {
            result.complete(Collections.singleton(input));
            return;
        }
        List<CompletableFuture<ReferenceItem>> asked =
                input.minibatch().items().stream()
                        .map(item -> items.ask(input.minibatch().runId(), item))
                        .toList();
        var unused =
                CompletableFuture.allOf(asked.toArray(CompletableFuture[]::new))
                        .whenComplete((done, error) -> complete(input, asked, error, result));
    }

    @Override
    public void timeout(LearnInput input, ResultFuture<LearnInput> result) {
        if (input.minibatch() == null) {
            result.complete(Collections.singleton(input));
            return;
        }
        if (all) {
            result.completeExceptionally(
                    new TimeoutException(
                            "The reference policy did not answer in time for minibatch "
                                    + input.minibatch().minibatchId()));
            return;
        }
        List<ReferenceItem> none =
                input.minibatch().items().stream()
                        .map(item -> timedOut(input.minibatch().runId(), item))
                        .toList();
        result.complete(Collections.singleton(ReferenceItem.apply(input, none)));
    }

    @Override
    public void close() throws Exception {
        if (io != null) {
            io.shutdownNow();
            io.awaitTermination(CLOSE_SECONDS, TimeUnit.SECONDS);
        }
        if (sampler != null) {
            sampler.close();
        }
    }

    private void complete(
            LearnInput input,
            List<CompletableFuture<ReferenceItem>> asked,
            Throwable error,
            ResultFuture<LearnInput> result) {
        if (error != null) {
            result.completeExceptionally(error);
            return;
        }
        List<ReferenceItem> answers = asked.stream().map(CompletableFuture::join).toList();
        Optional<Reject> missing =
                answers.stream().map(ReferenceItem::reject).filter(Objects::nonNull).findFirst();
        if (all && missing.isPresent()) {
            result.completeExceptionally(
                    new IllegalStateException(
                            "There are no reference log-probabilities: " + missing.get()));
            return;
        }
        result.complete(Collections.singleton(ReferenceItem.apply(input, answers)));
    }

    private static ReferenceItem timedOut(String runId, MinibatchItem item) {
        return ReferenceItem.missing(runId, item, "reference_timeout", "");
    }
}
