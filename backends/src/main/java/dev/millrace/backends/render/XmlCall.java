package dev.millrace.backends.render;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A call of the form {@code <function=bash><parameter=command>...</parameter></function>}. */
final class XmlCall {
    private static final String FUNCTION = "</function>";
    private static final String PARAMETER = "</parameter>";
    private static final Pattern OPENING = Pattern.compile("<function=([^>\n]*)>");
    private static final Pattern NAMED = Pattern.compile("<parameter=([^>\n]*)>");

    private XmlCall() {}

    static String command(String call) throws MalformedCallException {
        String inside = call.strip();
        Matcher opening = OPENING.matcher(inside);
        if (!opening.lookingAt()) {
            throw new MalformedCallException("a call must begin with <function=bash>");
        }
        if (!opening.group(1).equals("bash")) {
            throw new MalformedCallException(
                    "there is no function " + opening.group(1) + ", only bash");
        }
        if (!inside.endsWith(FUNCTION)) {
            throw new MalformedCallException("a call must end with " + FUNCTION);
        }
        String body = inside.substring(opening.end(), inside.length() - FUNCTION.length()).strip();
        Matcher named = NAMED.matcher(body);
        if (!named.lookingAt()) {
            throw new MalformedCallException("the parameter command is missing");
        }
        if (!named.group(1).equals("command")) {
            throw new MalformedCallException(
                    "there is no parameter " + named.group(1) + ", only command");
        }
        if (!body.endsWith(PARAMETER)) {
            throw new MalformedCallException("the parameter must end with " + PARAMETER);
        }
        String value = body.substring(named.end(), body.length() - PARAMETER.length());
        if (value.contains("<parameter=")) {
            throw new MalformedCallException("there is more than one parameter");
        }
        return withoutFrame(value);
    }

    /** The line breaks next to the marks belong to the form. */
    static String withoutFrame(String value) {
        int from = value.startsWith("\n") ? 1 : 0;
        int to =
                value.length() > from && value.endsWith("\n") ? value.length() - 1 : value.length();
        return value.substring(from, to);
    }
}
