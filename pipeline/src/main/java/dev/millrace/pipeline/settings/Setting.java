package dev.millrace.pipeline.settings;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Describes one setting: a component of a settings record. Reading, checking, writing and the
 * reference page all work from it.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
@interface Setting {

    /** Stands for "has no default". */
    String REQUIRED = "\0";

    /** What it means, with its unit; one sentence without a full stop. */
    String about();

    /** Its value when the recipe doesn't say, as the recipe would write it. */
    String byDefault() default REQUIRED;

    /** Smallest allowed value, as the recipe would write it; empty for none. */
    String min() default "";

    /** Largest allowed value, as the recipe would write it; empty for none. */
    String max() default "";

    /** Regular expression that a text must match; empty for none. */
    String pattern() default "";

    /** What the pattern asks for, in words. */
    String patternAbout() default "";
}
