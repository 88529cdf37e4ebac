package dev.millrace.udfs.agent;

import java.util.Map;

/** A part of a template that has a value. */
@FunctionalInterface
interface Expression {
    /** Its value: a text, a Long, a Boolean, a list, a map, null, or {@link Values.Missing}. */
    Object in(Map<String, Object> scope);
}
