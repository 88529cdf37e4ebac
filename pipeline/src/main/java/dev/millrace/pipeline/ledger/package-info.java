/**
 * The ledger: what happened in a run, as Parquet tables that are written exactly once. Columns are
 * explained in docs/ledger.md.
 */
package dev.millrace.pipeline.ledger;
