package dev.millrace.pipeline.topology;

import dev.millrace.pipeline.settings.FlinkSettings;
import dev.millrace.pipeline.settings.Recipe;
import org.apache.flink.api.common.operators.SlotSharingGroup;
import org.apache.flink.streaming.api.environment.StreamExecutionEnvironment;

/**
 * What the slots of a run must have. A run whose trainer may be anywhere asks for nothing. One
 * whose trainer needs a GPU says of every slot what it needs: Flink gives a slot with a GPU to
 * whoever asks for an unspecified one.
 */
public final class SlotResources {
    /** Resource that task managers for everything but the trainer offer, once for each slot. */
    public static final String ROLLOUT = "rollout";

    private static final String DEFAULT_GROUP = "default";

    private SlotResources() {}

    static void register(StreamExecutionEnvironment env, Recipe recipe) {
        recipe.train()
                .gpuResource()
                .ifPresent(
                        gpu -> {
                            env.registerSlotSharingGroup(
                                    group(DEFAULT_GROUP, ROLLOUT, recipe.flink()));
                            env.registerSlotSharingGroup(
                                    group(TrainTopology.TRAINER_SLOT, gpu, recipe.flink()));
                        });
    }

    private static SlotSharingGroup group(String name, String resource, FlinkSettings settings) {
        return SlotSharingGroup.newBuilder(name)
                .setCpuCores(settings.slotCpus())
                .setTaskHeapMemoryMB(settings.slotHeapMb())
                .setManagedMemoryMB(settings.slotManagedMb())
                .setExternalResource(resource, 1.0)
                .build();
    }
}
