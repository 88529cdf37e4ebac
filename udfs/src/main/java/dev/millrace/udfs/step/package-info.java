/**
 * What a durable step stage is: a pure machine that says which effects are due and what an item
 * became.
 */
package dev.millrace.udfs.step;
