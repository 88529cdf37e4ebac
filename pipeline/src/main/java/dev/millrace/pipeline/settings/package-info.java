/**
 * A recipe: all settings of a run, read from one YAML file into immutable records, checked as a
 * whole before anything starts.
 */
package dev.millrace.pipeline.settings;
