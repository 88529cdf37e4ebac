/** The command line {@code millrace}. */
package dev.millrace.jobs.cli;
