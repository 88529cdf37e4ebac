package dev.millrace.operators.topic;

import org.apache.flink.api.common.eventtime.Watermark;
import org.apache.flink.api.connector.source.ReaderOutput;
import org.apache.flink.api.connector.source.SourceOutput;

/**
 * Notes the position of each record that passes, and stops those behind a final marker and those
 * that are meant for the reading of a feed.
 */
final class TrackingOutput implements ReaderOutput<TopicRecord> {
    private final ReaderOutput<TopicRecord> out;
    private final Positions positions;
    private final FeedReading feed;

    /**
     * @param feed null without one
     */
    TrackingOutput(ReaderOutput<TopicRecord> out, Positions positions, FeedReading feed) {
        this.out = out;
        this.positions = positions;
        this.feed = feed;
    }

    @Override
    public void collect(TopicRecord record) {
        pass(record, out);
    }

    @Override
    public void collect(TopicRecord record, long timestamp) {
        pass(record, out);
    }

    @Override
    public void emitWatermark(Watermark watermark) {
        out.emitWatermark(watermark);
    }

    @Override
    public void markIdle() {
        out.markIdle();
    }

    @Override
    public void markActive() {
        out.markActive();
    }

    @Override
    public SourceOutput<TopicRecord> createOutputForSplit(String splitId) {
        // There are no timestamps and no watermarks, so all splits may share the main output.
        return this;
    }

    @Override
    public void releaseOutputForSplit(String splitId) {
        // Nothing was created.
    }

    private void pass(TopicRecord record, SourceOutput<TopicRecord> to) {
        if (positions.advance(record) && !(feed != null && feed.takes(record))) {
            to.collect(record);
        }
    }
}
