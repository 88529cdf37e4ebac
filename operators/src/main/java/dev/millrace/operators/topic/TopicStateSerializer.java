package dev.millrace.operators.topic;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.flink.connector.kafka.source.split.KafkaPartitionSplit;
import org.apache.flink.core.io.SimpleVersionedSerializer;
import org.apache.flink.core.memory.DataInputDeserializer;
import org.apache.flink.core.memory.DataOutputSerializer;
import org.apache.kafka.common.TopicPartition;

/** Writes {@link TopicState} into checkpoints. */
final class TopicStateSerializer implements SimpleVersionedSerializer<TopicState> {
    private static final int VERSION = 2;

    /** It knew of one topic. */
    private static final int FIRST = 1;

    @Override
    public int getVersion() {
        return VERSION;
    }

    @Override
    public byte[] serialize(TopicState state) throws IOException {
        DataOutputSerializer out = new DataOutputSerializer(128);
        write(state.identity(), out);
        write(state.feed(), out);
        out.writeInt(state.unassigned().size());
        for (KafkaPartitionSplit split : state.unassigned()) {
            out.writeUTF(split.getTopic());
            out.writeInt(split.getPartition());
            out.writeLong(split.getStartingOffset());
        }
        return out.getCopyOfBuffer();
    }

    @Override
    public TopicState deserialize(int version, byte[] serialized) throws IOException {
        if (version != VERSION && version != FIRST) {
            throw new IOException("Unknown version of a topic source's state: " + version);
        }
        DataInputDeserializer in = new DataInputDeserializer(serialized);
        TopicIdentity identity = identity(in);
        TopicIdentity feed = version == FIRST ? null : identity(in);
        int count = in.readInt();
        List<KafkaPartitionSplit> unassigned = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TopicPartition partition = new TopicPartition(in.readUTF(), in.readInt());
            unassigned.add(new KafkaPartitionSplit(partition, in.readLong()));
        }
        return new TopicState(identity, feed, unassigned);
    }

    private static void write(TopicIdentity identity, DataOutputSerializer out) throws IOException {
        out.writeBoolean(identity != null);
        if (identity != null) {
            out.writeUTF(identity.clusterId());
            out.writeUTF(identity.topicId());
            out.writeInt(identity.partitions());
        }
    }

    private static TopicIdentity identity(DataInputDeserializer in) throws IOException {
        return in.readBoolean()
                ? new TopicIdentity(in.readUTF(), in.readUTF(), in.readInt())
                : null;
    }
}
