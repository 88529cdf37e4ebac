/** Which groups make up which minibatch, and the arrays a trainer gets. */
package dev.millrace.udfs.minibatch;
