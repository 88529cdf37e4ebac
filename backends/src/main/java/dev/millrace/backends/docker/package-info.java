/**
 * Sandboxes as containers of a Docker Engine, or of a daemon that speaks its API, over its unix
 * socket.
 *
 * <p>HTTP is spoken by a few classes here. The JDK's client knows no unix sockets, and the
 * libraries that do bring a client of their own, with its pools and its JSON mapping, for the nine
 * calls that are needed.
 */
package dev.millrace.backends.docker;
