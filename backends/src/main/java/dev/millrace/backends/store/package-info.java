/** Stores of bytes that are written once, under names made of their content. */
package dev.millrace.backends.store;
