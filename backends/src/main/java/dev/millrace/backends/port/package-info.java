/**
 * What Millrace needs of the outside, as interfaces. Adapters implement them; stages see nothing
 * else.
 */
package dev.millrace.backends.port;
