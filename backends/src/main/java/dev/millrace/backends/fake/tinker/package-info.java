/**
 * A server of the Tinker protocol for tests: strict, seeded, with a model small enough to check.
 */
package dev.millrace.backends.fake.tinker;
