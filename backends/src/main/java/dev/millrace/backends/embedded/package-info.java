/**
 * A policy that lives in this JVM: a small transformer that reads and writes shell sessions.
 *
 * <p>Sampling is plain Java: each request is computed alone and in a fixed order, so its answer
 * depends on nothing but the request. Gradients come from PyTorch through DJL; weights and
 * optimiser stay in Java arrays, so native memory lasts no longer than one call.
 *
 * <p>PyTorch must run on one thread, or its barriers collapse when cores are shared: start the JVM
 * with {@code OMP_NUM_THREADS=1} in its environment. {@link
 * dev.millrace.backends.embedded.GradientEngine} sets {@code ai.djl.pytorch.num_threads=1} unless
 * it is set already.
 */
package dev.millrace.backends.embedded;
