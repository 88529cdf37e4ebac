/** Seeded stand-ins for what is slow or far away. They enforce their port's contract. */
package dev.millrace.backends.fake;
