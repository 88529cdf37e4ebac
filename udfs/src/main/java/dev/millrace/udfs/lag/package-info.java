/** How old the weights are that sampled something, across forks of the trainer's history. */
package dev.millrace.udfs.lag;
