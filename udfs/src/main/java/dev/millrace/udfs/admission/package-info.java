/** Which group may be played next, and what became of every group that was. */
package dev.millrace.udfs.admission;
