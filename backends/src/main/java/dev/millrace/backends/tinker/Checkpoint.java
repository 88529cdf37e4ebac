package dev.millrace.backends.tinker;

/** Kinds of checkpoint. */
enum Checkpoint {
    /** Weights and optimiser. */
    TRAINING("save_weights", "SaveWeights", "training"),
    /** Weights that samplers read. */
    SAMPLER("save_weights_for_sampler", "SaveWeightsForSampler", "sampler");

    private final String path;
    private final String type;
    private final String listed;

    Checkpoint(String path, String type, String listed) {
        this.path = path;
        this.type = type;
        this.listed = listed;
    }

    /** Of the call that makes one. */
    String path() {
        return path;
    }

    /** Of the operation. */
    String type() {
        return type;
    }

    /** Its type in a listing. */
    String listed() {
        return listed;
    }
}
