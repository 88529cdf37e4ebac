package dev.millrace.backends.render;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads calls of the tool {@code bash} that mini-swe-agent would run: each names the tool and has a
 * command; other arguments are left alone.
 */
final class BashCalls {
    static final ObjectMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS)
                    .build();
    private static final String OPEN = "<tool_call>";
    private static final String CLOSE = "</tool_call>";
    private static final String FUNCTION = "</function>";
    private static final String PARAMETER = "</parameter>";
    private static final Pattern FUNCTION_OPENS = Pattern.compile("<function=([^>\n]*)>");
    private static final Pattern PARAMETER_OPENS = Pattern.compile("<parameter=([^>\n]*)>");
    private static final Pattern NEXT_PARAMETER =
            Pattern.compile(Pattern.quote(PARAMETER) + "\\s*(?=<parameter=)");

    private final boolean xml;

    BashCalls(boolean xml) {
        this.xml = xml;
    }

    /** Whether there is anything that could be a call. */
    static boolean any(String answer) {
        return answer.contains(OPEN);
    }

    /**
     * The commands, in their order.
     *
     * @throws MalformedCallException when there is no call, or one of them is none of bash
     */
    List<String> commands(String answer) throws MalformedCallException {
        List<String> calls = Between.all(answer, OPEN, CLOSE);
        if (calls.isEmpty()) {
            throw new MalformedCallException("there is no call of the tool bash");
        }
        List<String> commands = new ArrayList<>();
        for (String call : calls) {
            String command = xml ? ofXml(call.strip()) : ofJson(call);
            if (command.indexOf('\0') >= 0) {
                throw new MalformedCallException("the command holds a NUL");
            }
            commands.add(command);
        }
        return commands;
    }

    private static String ofJson(String call) throws MalformedCallException {
        JsonNode read;
        try {
            read = JSON.readTree(call);
        } catch (JsonProcessingException e) {
            throw new MalformedCallException("the call is no JSON object", e);
        }
        if (!read.isObject()) {
            throw new MalformedCallException("the call is no JSON object");
        }
        return command(read.path("name").asText(), read.path("arguments"));
    }

    /** Of a call that is taken apart already. */
    static String command(String name, JsonNode arguments) throws MalformedCallException {
        named(name);
        JsonNode command = arguments.path("command");
        if (command.isMissingNode()) {
            throw new MalformedCallException("the call has no argument 'command'");
        }
        if (!command.isTextual()) {
            throw new MalformedCallException("the argument 'command' is no text");
        }
        return command.asText();
    }

    private static void named(String name) throws MalformedCallException {
        if (!name.equals("bash")) {
            throw new MalformedCallException("there is no tool '" + name + "', only bash");
        }
    }

    private static String ofXml(String call) throws MalformedCallException {
        Matcher function = FUNCTION_OPENS.matcher(call);
        if (!function.lookingAt() || !call.endsWith(FUNCTION)) {
            throw new MalformedCallException("a call is <function=bash> ... " + FUNCTION);
        }
        named(function.group(1));
        String body = call.substring(function.end(), call.length() - FUNCTION.length()).strip();
        if (!body.endsWith(PARAMETER)) {
            throw new MalformedCallException("the call has no argument 'command'");
        }
        String parameters = body.substring(0, body.length() - PARAMETER.length());
        for (String parameter : NEXT_PARAMETER.split(parameters, -1)) {
            Matcher opens = PARAMETER_OPENS.matcher(parameter);
            if (!opens.lookingAt()) {
                throw new MalformedCallException("an argument is <parameter=command> ...");
            }
            if (opens.group(1).equals("command")) {
                return XmlCall.withoutFrame(parameter.substring(opens.end()));
            }
        }
        throw new MalformedCallException("the call has no argument 'command'");
    }
}
