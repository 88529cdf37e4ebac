/** Datasets of repairs on disk: reads published rows, writes task folders, rows and subsets. */
package dev.millrace.backends.dataset;
