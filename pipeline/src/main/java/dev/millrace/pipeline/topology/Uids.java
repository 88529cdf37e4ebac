package dev.millrace.pipeline.topology;

/** Ids of all operators: they name state in checkpoints and are never reused for anything else. */
final class Uids {
    static final String GATE = "admission-gate";
    static final String ROLLOUT = "rollout";
    static final String GRADING = "grading";
    static final String GROUPS = "group-window";
    static final String MINIBATCH = "minibatch-assembler";
    static final String REFERENCE = "reference-logprobs";
    static final String ACCELERATOR = "accelerator-check";
    static final String TRAINER = "trainer";

    private Uids() {}

    static String source(String topic, String region) {
        return topic + "-in-" + region;
    }

    static String sink(String topic, String region) {
        return topic + "-out-" + region;
    }
}
