package dev.millrace.operators.group;

import java.io.Serializable;

/**
 * When groups close.
 *
 * @param deadlineMillis running time from a group's first attempt on, after which it closes as it
 *     is
 * @param tombstoneMillis how long late attempts are told from new groups
 * @param minValidAttempts fewest valid attempts for a verdict
 * @param keepConstant whether groups of equal rewards are trained on all the same
 */
public record GroupWindowSettings(
        long deadlineMillis, long tombstoneMillis, int minValidAttempts, boolean keepConstant)
        implements Serializable {

    /** Settings under which only groups are trained on whose rewards differ. */
    public GroupWindowSettings(long deadlineMillis, long tombstoneMillis, int minValidAttempts) {
        this(deadlineMillis, tombstoneMillis, minValidAttempts, false);
    }
}
