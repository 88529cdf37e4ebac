package dev.millrace.udfs.agent;

import dev.millrace.udfs.agent.TemplateLexer.Kind;
import dev.millrace.udfs.agent.TemplateLexer.Piece;
import dev.millrace.udfs.agent.TemplateNode.Branch;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads the pieces of a template. */
final class TemplateParser {
    private static final Pattern BLOCK = Pattern.compile("\\s*(\\w+)(.*)", Pattern.DOTALL);
    private static final Pattern SET =
            Pattern.compile("\\s*([A-Za-z_]\\w*)\\s*=(?!=)(.*)", Pattern.DOTALL);

    private final String name;
    private final List<Piece> pieces;
    private int at;
    private int depth;

    TemplateParser(String name, List<Piece> pieces) {
        this.name = name;
        this.pieces = pieces;
    }

    /** A block's first word and the rest of it. */
    private record Block(String word, String rest, int line) {}

    List<TemplateNode> parse() {
        List<TemplateNode> nodes = body();
        if (at < pieces.size()) {
            Piece stray = pieces.get(at);
            throw wrong(stray.line(), "'" + stray.text().strip() + "' without an if before it");
        }
        return nodes;
    }

    /** Up to the end, or to a block that belongs to the if around it. */
    private List<TemplateNode> body() {
        List<TemplateNode> nodes = new ArrayList<>();
        while (at < pieces.size()) {
            Piece piece = pieces.get(at);
            if (piece.kind() == Kind.TEXT) {
                nodes.add(TemplateNode.text(piece.text()));
            } else if (piece.kind() == Kind.VALUE) {
                nodes.add(TemplateNode.value(expression(piece.text(), piece.line(), Values::text)));
            } else {
                Block block = block(piece);
                switch (block.word()) {
                    case "elif", "else", "endif" -> {
                        return nodes;
                    }
                    case "set" -> nodes.add(assignment(block));
                    case "if" -> nodes.add(choice(block));
                    default ->
                            throw wrong(
                                    block.line(),
                                    "'" + block.word() + "' is none of if, elif, else, endif, set");
                }
            }
            at++;
        }
        return nodes;
    }

    private TemplateNode assignment(Block block) {
        Matcher set = SET.matcher(block.rest());
        if (!set.matches()) {
            throw wrong(block.line(), "set needs a name, = and a value");
        }
        return TemplateNode.assignment(
                set.group(1), expression(set.group(2), block.line(), Values::there));
    }

    private TemplateNode choice(Block first) {
        depth++;
        if (depth > Template.DEEPEST) {
            throw wrong(first.line(), "too many ifs inside each other");
        }
        List<Branch> branches = new ArrayList<>();
        Block begun = first;
        while (!begun.word().equals("endif")) {
            boolean last = begun.word().equals("else");
            Expression condition =
                    last ? always(begun) : expression(begun.rest(), begun.line(), Values::holds);
            at++;
            List<TemplateNode> body = body();
            if (at >= pieces.size()) {
                throw wrong(first.line(), "the if is never closed by endif");
            }
            branches.add(new Branch(condition, body));
            begun = block(pieces.get(at));
            if (last && !begun.word().equals("endif")) {
                throw wrong(begun.line(), "'" + begun.word() + "' after else");
            }
        }
        depth--;
        return TemplateNode.choice(branches);
    }

    private Expression always(Block block) {
        if (!block.rest().isBlank()) {
            throw wrong(block.line(), "else has no condition");
        }
        return scope -> true;
    }

    private Block block(Piece piece) {
        Matcher read = BLOCK.matcher(piece.text());
        if (!read.matches()) {
            throw wrong(piece.line(), "an empty block");
        }
        return new Block(read.group(1), read.group(2), piece.line());
    }

    /** What is wrong with a value is found out when the template is filled in. */
    private Expression expression(String text, int line, UnaryOperator<Object> made) {
        try {
            Expression parsed = new ExpressionParser(text).parse();
            return scope -> evaluated(parsed, scope, line, made);
        } catch (Values.UnfitException e) {
            throw wrong(line, e.getMessage());
        }
    }

    private Object evaluated(
            Expression parsed, Map<String, Object> scope, int line, UnaryOperator<Object> made) {
        try {
            return made.apply(parsed.in(scope));
        } catch (Values.UnfitException e) {
            throw wrong(line, e.getMessage());
        }
    }

    private TemplateException wrong(int line, String why) {
        return new TemplateException(name, line, why);
    }
}
