package dev.millrace.udfs.model;

/**
 * Whose fault a failure is; decides whether it counts as a reward, is masked, or is tried again.
 */
public enum FailureClass {
    /** The policy can't have caused it: masked, outside the group's statistics, tried again. */
    INFRA,
    /** The policy caused it: rewarded as such, with a named outcome. */
    POLICY,
    /** No trustworthy verdict: masked, outside the group's statistics, counted against the task. */
    VERIFIER
}
