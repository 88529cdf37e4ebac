/** Draws small repositories with one real defect each and writes them as Harbor task folders. */
package dev.millrace.backends.exampletasks;
