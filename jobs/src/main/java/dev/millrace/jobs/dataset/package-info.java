/** Commands that make datasets, look at them and choose from them. */
package dev.millrace.jobs.dataset;
