/**
 * Sandboxes on this host, made with bubblewrap: own file tree, no network, no privileges, sized
 * disk, limits by cgroup where they can be had.
 */
package dev.millrace.backends.bubblewrap;
