/**
 * The records that travel between stages and stay in state, and their vocabulary. Components are
 * only ever added: a record in an old savepoint must still be read.
 */
package dev.millrace.udfs.model;
