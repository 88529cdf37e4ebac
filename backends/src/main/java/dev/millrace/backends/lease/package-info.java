/** Who may use which sandbox: leases, fences and lifetimes, for providers that keep them. */
package dev.millrace.backends.lease;
