/** What a run on this machine needs beside the job. */
package dev.millrace.jobs.local;
