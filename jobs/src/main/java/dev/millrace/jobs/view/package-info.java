/**
 * What a person sees of a run: a fold over the run's topics, drawn while it runs, summed up when it
 * has ended. It reads the topics and nothing else, so it shows what really happened.
 */
package dev.millrace.jobs.view;
