/** Puts the graded attempts of a group together. */
package dev.millrace.operators.group;
