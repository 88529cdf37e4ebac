/** Finds out before anything starts whether a run can work here; each check is one class. */
package dev.millrace.jobs.preflight;
