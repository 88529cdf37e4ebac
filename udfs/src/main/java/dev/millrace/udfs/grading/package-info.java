/** How a finished attempt gets its reward, or none. */
package dev.millrace.udfs.grading;
