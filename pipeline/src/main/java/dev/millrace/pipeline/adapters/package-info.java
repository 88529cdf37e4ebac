/** Chooses the adapters that a recipe names. */
package dev.millrace.pipeline.adapters;
