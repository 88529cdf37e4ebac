/** What closed groups are worth, and which of two records of a group counts. */
package dev.millrace.udfs.group;
