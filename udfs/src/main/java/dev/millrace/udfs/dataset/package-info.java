/** What becomes of rows of published datasets: filters, splits, subsets, task scripts. */
package dev.millrace.udfs.dataset;
