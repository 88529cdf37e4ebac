/** What providers of sandboxes share: bounded output, archives of files, shell text, ownership. */
package dev.millrace.backends.sandbox;
