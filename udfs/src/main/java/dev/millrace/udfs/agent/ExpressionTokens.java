package dev.millrace.udfs.agent;

import dev.millrace.udfs.agent.Values.UnfitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a value in a template, read from left to right. */
final class ExpressionTokens {
    private static final Pattern TOKEN =
            Pattern.compile(
                    "\\s*(?:(\\d{1,15})|([A-Za-z_]\\w*)|\"([^\"\\\\]*)\"|'([^'\\\\]*)'"
                            + "|(==|!=|<=|>=|[-+~<>|.,()\\[\\]:]))");

    /** Kinds of tokens. */
    enum Kind {
        NUMBER,
        NAME,
        TEXT,
        SIGN
    }

    /**
     * One of them.
     *
     * @param kind what it is
     * @param text as written, texts without their quotes
     */
    record Token(Kind kind, String text) {}

    private final List<Token> tokens = new ArrayList<>();
    private int at;

    ExpressionTokens(String text) {
        Matcher matcher = TOKEN.matcher(text);
        int from = 0;
        String trimmed = text.stripTrailing();
        while (from < trimmed.length()) {
            if (!matcher.region(from, trimmed.length()).lookingAt()) {
                throw new UnfitException(
                        "'" + trimmed.substring(from).strip() + "' is not understood");
            }
            tokens.add(token(matcher));
            from = matcher.end();
        }
    }

    private static Token token(Matcher matcher) {
        if (matcher.group(1) != null) {
            return new Token(Kind.NUMBER, matcher.group(1));
        }
        if (matcher.group(2) != null) {
            return new Token(Kind.NAME, matcher.group(2));
        }
        String quoted = matcher.group(3) == null ? matcher.group(4) : matcher.group(3);
        return quoted == null
                ? new Token(Kind.SIGN, matcher.group(5))
                : new Token(Kind.TEXT, quoted);
    }

    boolean ended() {
        return at >= tokens.size();
    }

    /** Whether the next one is of this kind and one of these. */
    boolean is(Kind kind, Set<String> texts) {
        return is(kind) && texts.contains(tokens.get(at).text());
    }

    boolean is(Kind kind) {
        return !ended() && tokens.get(at).kind() == kind;
    }

    Token next() {
        return tokens.get(at++);
    }

    /** Passes over the next one if it is this sign or word. */
    boolean takes(String text) {
        boolean there = !is(Kind.TEXT) && !ended() && tokens.get(at).text().equals(text);
        at += there ? 1 : 0;
        return there;
    }

    String name(String what) {
        if (!is(Kind.NAME)) {
            throw new UnfitException("expected " + what);
        }
        return next().text();
    }

    void expect(String sign) {
        if (!takes(sign)) {
            throw new UnfitException("expected " + sign);
        }
    }
}
