/**
 * Grades repairs of repositories: tests of a dataset's row, run in a fresh sandbox, read on the
 * host.
 */
package dev.millrace.backends.repair;
