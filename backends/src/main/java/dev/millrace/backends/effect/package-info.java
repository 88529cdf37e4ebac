/** What running slow calls to the outside takes: deadlines, retries, rates, endings. */
package dev.millrace.backends.effect;
