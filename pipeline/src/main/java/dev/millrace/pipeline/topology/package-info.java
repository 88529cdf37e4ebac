/** The job: three regions, each made of stages, joined only by topics. */
package dev.millrace.pipeline.topology;
