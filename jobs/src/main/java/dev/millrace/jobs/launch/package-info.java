/** What every way of starting a run shares. */
package dev.millrace.jobs.launch;
