package dev.millrace.udfs.agent;

import dev.millrace.udfs.agent.ExpressionTokens.Kind;
import dev.millrace.udfs.agent.ExpressionTokens.Token;
import dev.millrace.udfs.agent.Values.Missing;
import dev.millrace.udfs.agent.Values.UnfitException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** Reads a value of a template: operators bind as in Jinja, filters and tests before all others. */
final class ExpressionParser {
    private static final Set<String> COMPARISONS = Set.of("==", "!=", "<", "<=", ">", ">=");

    private final ExpressionTokens tokens;
    private int depth;

    ExpressionParser(String text) {
        tokens = new ExpressionTokens(text);
    }

    Expression parse() {
        Expression whole = or();
        if (!tokens.ended()) {
            throw new UnfitException("'" + tokens.next().text() + "' is not expected here");
        }
        return whole;
    }

    private Expression or() {
        Expression left = and();
        while (tokens.takes("or")) {
            Expression one = left;
            Expression other = and();
            left =
                    scope -> {
                        Object first = one.in(scope);
                        return Values.holds(first) ? first : other.in(scope);
                    };
        }
        return left;
    }

    private Expression and() {
        Expression left = not();
        while (tokens.takes("and")) {
            Expression one = left;
            Expression other = not();
            left =
                    scope -> {
                        Object first = one.in(scope);
                        return Values.holds(first) ? other.in(scope) : first;
                    };
        }
        return left;
    }

    private Expression not() {
        if (tokens.takes("not")) {
            Expression denied = nested(this::not);
            return scope -> !Values.holds(denied.in(scope));
        }
        Expression left = sum();
        if (tokens.takes("in")) {
            Expression right = sum();
            return scope -> Values.contains(right.in(scope), left.in(scope));
        }
        if (tokens.is(Kind.SIGN, COMPARISONS)) {
            String operator = tokens.next().text();
            Expression right = sum();
            return scope -> Values.compare(operator, left.in(scope), right.in(scope));
        }
        return left;
    }

    private Expression sum() {
        Expression left = joined();
        while (tokens.is(Kind.SIGN, Set.of("+", "-"))) {
            boolean plus = tokens.next().text().equals("+");
            Expression one = left;
            Expression other = joined();
            left =
                    plus
                            ? scope -> Values.sum(one.in(scope), other.in(scope))
                            : scope ->
                                    Values.number(one.in(scope)) - Values.number(other.in(scope));
        }
        return left;
    }

    private Expression joined() {
        Expression left = unary();
        while (tokens.takes("~")) {
            Expression one = left;
            Expression other = unary();
            left = scope -> Values.text(one.in(scope)) + Values.text(other.in(scope));
        }
        return left;
    }

    private Expression unary() {
        if (tokens.takes("-")) {
            Expression of = nested(this::unary);
            return scope -> -Values.number(of.in(scope));
        }
        return filtered(postfixed());
    }

    private Expression postfixed() {
        Expression value = primary();
        while (true) {
            Expression of = value;
            if (tokens.takes(".")) {
                String part = tokens.name("a name after the dot");
                value = scope -> Values.part(of.in(scope), part);
            } else if (tokens.takes("[")) {
                value = slice(of);
            } else {
                return value;
            }
        }
    }

    private Expression slice(Expression of) {
        Expression from = tokens.is(Kind.SIGN, Set.of(":")) ? null : nested(this::or);
        tokens.expect(":");
        Expression to = tokens.is(Kind.SIGN, Set.of("]")) ? null : nested(this::or);
        tokens.expect("]");
        return scope ->
                Values.slice(
                        of.in(scope),
                        from == null ? null : from.in(scope),
                        to == null ? null : to.in(scope));
    }

    private Expression filtered(Expression value) {
        Expression result = value;
        while (true) {
            Expression of = result;
            if (tokens.takes("|")) {
                String filter = tokens.name("the name of a filter");
                result =
                        switch (filter) {
                            case "length" -> scope -> Values.length(of.in(scope));
                            case "trim" -> scope -> Values.trimmed(of.in(scope));
                            case "tojson" -> scope -> JsonText.of(of.in(scope));
                            default ->
                                    throw new UnfitException(
                                            "no filter '"
                                                    + filter
                                                    + "', only length, trim and tojson");
                        };
            } else if (tokens.takes("is")) {
                boolean not = tokens.takes("not");
                if (!tokens.name("defined").equals("defined")) {
                    throw new UnfitException("no test but 'is defined'");
                }
                result = scope -> not == (of.in(scope) instanceof Missing);
            } else {
                return result;
            }
        }
    }

    private Expression primary() {
        if (tokens.takes("(")) {
            Expression inside = nested(this::or);
            tokens.expect(")");
            return inside;
        }
        if (tokens.takes("[")) {
            return list();
        }
        if (tokens.ended() || tokens.is(Kind.SIGN)) {
            throw new UnfitException("a value is missing");
        }
        Token token = tokens.next();
        String text = token.text();
        return switch (token.kind()) {
            case NUMBER -> constant(Long.valueOf(text));
            case TEXT -> constant(text);
            default ->
                    switch (text) {
                        case "true", "True" -> constant(true);
                        case "false", "False" -> constant(false);
                        case "none", "None" -> constant(null);
                        default ->
                                scope ->
                                        scope.containsKey(text)
                                                ? scope.get(text)
                                                : new Missing(text);
                    };
        };
    }

    private Expression list() {
        List<Expression> items = new ArrayList<>();
        while (!tokens.takes("]")) {
            items.add(nested(this::or));
            if (!tokens.is(Kind.SIGN, Set.of("]"))) {
                tokens.expect(",");
            }
        }
        return scope -> items.stream().map(item -> Values.there(item.in(scope))).toList();
    }

    private static Expression constant(Object value) {
        return scope -> value;
    }

    private Expression nested(Supplier<Expression> inner) {
        depth++;
        if (depth > Template.DEEPEST) {
            throw new UnfitException("too many parentheses");
        }
        Expression read = inner.get();
        depth--;
        return read;
    }
}
