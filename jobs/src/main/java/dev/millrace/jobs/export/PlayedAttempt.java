package dev.millrace.jobs.export;

import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.GroupRecord;
import java.util.List;

/**
 * All that a ledger says about an attempt.
 *
 * @param attempt what came of it
 * @param group which it belongs to, without its attempts
 * @param journal what happened to it, in order
 */
record PlayedAttempt(AttemptSummary attempt, GroupRecord group, List<JournalEntry> journal) {}
