/** What test runners print, read back: which test ended how, and whether that can be believed. */
package dev.millrace.udfs.testlog;
