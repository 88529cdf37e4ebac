/**
 * Images as root file systems: reading them from folders and archives, and unpacking them safely.
 */
package dev.millrace.backends.image;
