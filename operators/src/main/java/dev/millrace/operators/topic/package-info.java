/** Topics as the stages see them: names, records, the codec, the source and the sink. */
package dev.millrace.operators.topic;
