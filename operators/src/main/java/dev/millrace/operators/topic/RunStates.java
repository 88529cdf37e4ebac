package dev.millrace.operators.topic;

/** Names of what an operator that runs once keeps of each run of its job. */
public final class RunStates {
    private RunStates() {}

    /**
     * The name of a state of a run. A job that has one run names it as it did when no job had more.
     *
     * @param state what is kept
     * @param runs how many runs the job has, for its whole life
     */
    public static String name(String state, String runId, int runs) {
        return runs == 1 ? state : state + "/" + runId;
    }
}
