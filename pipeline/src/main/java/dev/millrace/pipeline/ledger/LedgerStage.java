package dev.millrace.pipeline.ledger;

import dev.millrace.operators.topic.TopicNames;
import dev.millrace.operators.topic.TopicRecord;
import dev.millrace.operators.watch.WatchSettings;
import dev.millrace.operators.watch.WatchedKeyedProcess;
import dev.millrace.udfs.model.ProgressRecord;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.flink.api.common.typeinfo.TypeInformation;
import org.apache.flink.api.common.typeinfo.Types;
import org.apache.flink.connector.file.sink.FileSink;
import org.apache.flink.core.fs.Path;
import org.apache.flink.formats.parquet.ParquetWriterFactory;
import org.apache.flink.streaming.api.datastream.DataStream;
import org.apache.flink.streaming.api.datastream.SingleOutputStreamOperator;
import org.apache.flink.streaming.api.functions.sink.filesystem.OutputFileConfig;
import org.apache.flink.streaming.api.functions.sink.filesystem.bucketassigners.BasePathBucketAssigner;
import org.apache.flink.streaming.api.functions.sink.filesystem.rollingpolicies.OnCheckpointRollingPolicy;
import org.apache.hadoop.conf.Configuration;
import org.apache.parquet.avro.AvroParquetWriter;
import org.apache.parquet.avro.AvroWriteSupport;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** Writes the ledger: the topics of a run in, Parquet files out, one row per id. */
public final class LedgerStage {
    private LedgerStage() {}

    /**
     * Attaches the stage. Files become visible when a checkpoint completes.
     *
     * @param topics the topics {@code groups}, {@code policies}, {@code progress}, {@code turns}
     *     and {@code rejects}, as this region reads them
     * @param names of the topics
     * @param folder URI below which each table has its folder
     * @param parallelism of every operator
     * @param watch when standing still is reported
     * @return DRAINED with the source {@code ledger}, for the topic {@code progress}, each time the
     *     mark behind a run's last group has come by
     */
    public static DataStream<ProgressRecord> attach(
            List<DataStream<TopicRecord>> topics,
            TopicNames names,
            String folder,
            int parallelism,
            WatchSettings watch) {
        DataStream<TopicRecord> all =
                topics.stream()
                        .reduce((left, right) -> left.union(right))
                        .orElseThrow(() -> new IllegalArgumentException("no topics"));
        SingleOutputStreamOperator<LedgerLine> lines =
                all.process(new DecodeLines(names), TypeInformation.of(LedgerLine.class))
                        .uid("ledger-lines")
                        .name("Decode for the ledger")
                        .setDescription("Decode for the ledger: records of all topics, as rows")
                        .setParallelism(parallelism);
        SingleOutputStreamOperator<Void> rows =
                lines.keyBy(LedgerLine::key, Types.STRING)
                        .transform(
                                "Keep the first of each id",
                                Types.VOID,
                                new WatchedKeyedProcess<>(new FirstRows(), "ledger", watch))
                        .uid("ledger-rows")
                        .setDescription(
                                "Keep the first of each id: what a restart wrote again is left"
                                        + " out. Rows wait for a checkpoint in Parquet files that"
                                        + " nobody sees yet")
                        .setParallelism(parallelism);
        for (LedgerTable table : LedgerTable.values()) {
            rows.getSideOutput(FirstRows.tag(table))
                    .sinkTo(sink(table, folder))
                    .uid("ledger-" + table.folder())
                    .name("Write table " + table.folder())
                    .setParallelism(parallelism);
        }
        return lines.getSideOutput(DecodeLines.DRAINED);
    }

    private static FileSink<GenericRecord> sink(LedgerTable table, String folder) {
        return FileSink.forBulkFormat(
                        new Path(new Path(folder), table.folder()), writer(table.schema()))
                .withBucketAssigner(new BasePathBucketAssigner<>())
                .withRollingPolicy(OnCheckpointRollingPolicy.build())
                .withOutputFileConfig(
                        OutputFileConfig.builder()
                                .withPartPrefix(table.folder())
                                .withPartSuffix(LedgerReader.SUFFIX)
                                .build())
                .build();
    }

    private static ParquetWriterFactory<GenericRecord> writer(Schema schema) {
        return new ParquetWriterFactory<>(
                file -> {
                    Configuration conf = new Configuration(false);
                    // Standard three-level lists, which every reader knows.
                    conf.setBoolean(AvroWriteSupport.WRITE_OLD_LIST_STRUCTURE, false);
                    return AvroParquetWriter.<GenericRecord>builder(file)
                            .withSchema(schema)
                            .withDataModel(GenericData.get())
                            .withConf(conf)
                            .withCompressionCodec(CompressionCodecName.ZSTD)
                            .build();
                });
    }
}
