/** How an attempt is played: its token ledger and the machine that says what comes next. */
package dev.millrace.udfs.rollout;
