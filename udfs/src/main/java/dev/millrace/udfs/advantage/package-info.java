/** What a reward says about an attempt, compared with its group. */
package dev.millrace.udfs.advantage;
