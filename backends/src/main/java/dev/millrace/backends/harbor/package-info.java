/** Tasks in the Harbor format: read, prepared in a sandbox, graded in another one, and checked. */
package dev.millrace.backends.harbor;
