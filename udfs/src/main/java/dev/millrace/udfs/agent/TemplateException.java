package dev.millrace.udfs.agent;

/** A template can't be read or filled in; the message names the template and the line. */
public final class TemplateException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TemplateException(String template, int line, String why) {
        super(template + ", line " + line + ": " + why);
    }
}
