package dev.millrace.udfs.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Cuts a template into plain text and what stands between marks. */
final class TemplateLexer {
    /** Kinds of pieces. */
    enum Kind {
        TEXT,
        VALUE,
        BLOCK
    }

    /**
     * A piece.
     *
     * @param kind what it is
     * @param text without its marks
     * @param line where it begins, from 1
     */
    record Piece(Kind kind, String text, int line) {}

    private static final Map<String, String> CLOSING = Map.of("{{", "}}", "{%", "%}", "{#", "#}");

    private final String name;
    private final String text;
    private final List<Piece> pieces = new ArrayList<>();
    private int at;
    private boolean dropBlanks;

    private TemplateLexer(String name, String text) {
        this.name = name;
        this.text = text;
    }

    static List<Piece> split(String name, String text) {
        String lines = text.replace("\r\n", "\n").replace('\r', '\n');
        String counted = lines.endsWith("\n") ? lines.substring(0, lines.length() - 1) : lines;
        TemplateLexer lexer = new TemplateLexer(name, counted);
        lexer.run();
        return lexer.pieces;
    }

    private void run() {
        while (true) {
            int mark = nextMark();
            if (mark < 0) {
                plain(text.substring(at), false);
                return;
            }
            int inside = mark + 2;
            boolean dropBefore = signAt(inside, '-');
            plain(text.substring(at, mark), dropBefore);
            String opening = text.substring(mark, inside);
            int from = dropBefore || signAt(inside, '+') ? inside + 1 : inside;
            int close = closing(opening, from, mark);
            boolean dropAfter = close > from && text.charAt(close - 1) == '-';
            String said = text.substring(from, dropAfter ? close - 1 : close);
            if (!opening.equals("{#")) {
                Kind kind = opening.equals("{{") ? Kind.VALUE : Kind.BLOCK;
                pieces.add(new Piece(kind, said, line(mark)));
            }
            at = close + 2;
            dropBlanks = dropAfter;
        }
    }

    private int nextMark() {
        for (int i = at; i < text.length() - 1; i++) {
            if (text.charAt(i) == '{' && CLOSING.containsKey(text.substring(i, i + 2))) {
                return i;
            }
        }
        return -1;
    }

    private boolean signAt(int index, char sign) {
        return index < text.length() && text.charAt(index) == sign;
    }

    /** Where the closing mark stands; one inside a quoted text closes nothing. */
    private int closing(String opening, int from, int mark) {
        String closing = CLOSING.get(opening);
        char quote = 0;
        for (int i = from; i < text.length() - 1; i++) {
            char c = text.charAt(i);
            if (quote != 0) {
                quote = c == quote ? 0 : quote;
            } else if (text.startsWith(closing, i)) {
                return i;
            } else if ((c == '"' || c == '\'') && !opening.equals("{#")) {
                quote = c;
            }
        }
        throw new TemplateException(name, line(mark), opening + " is never closed");
    }

    private void plain(String said, boolean dropEnd) {
        String begun = dropBlanks ? said.substring(Blanks.skip(said, 0)) : said;
        String kept = dropEnd ? Blanks.trimEnd(begun) : begun;
        dropBlanks = false;
        if (!kept.isEmpty()) {
            pieces.add(new Piece(Kind.TEXT, kept, line(at)));
        }
    }

    private int line(int index) {
        return 1 + (int) text.chars().limit(index).filter(c -> c == '\n').count();
    }
}
