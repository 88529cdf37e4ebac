/** Makes minibatches out of closed groups, under an epoch of its own. */
package dev.millrace.operators.minibatch;
