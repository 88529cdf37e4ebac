/**
 * Sandboxes of Modal, by its own gRPC interface.
 *
 * <p>The messages are generated from the two files under {@code src/main/proto}, which hold no more
 * of the interface than is used here. It is not a public one and may change: the provider looks at
 * start whether a sandbox can be made.
 */
package dev.millrace.backends.modal;
