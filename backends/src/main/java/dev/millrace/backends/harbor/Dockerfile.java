package dev.millrace.backends.harbor;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Splits a Dockerfile into instructions. */
final class Dockerfile {
    private static final Pattern HERE_DOCUMENT =
            Pattern.compile("<<-?[\"']?([A-Za-z_][A-Za-z0-9_]*)[\"']?");

    private Dockerfile() {}

    /**
     * One instruction.
     *
     * @param line where it starts, from 1
     * @param name in capitals
     * @param arguments the rest, with continued lines joined
     */
    record Instruction(int line, String name, String arguments) {}

    static List<Instruction> parse(String text) {
        List<Instruction> found = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        String terminator = "";
        int start = 0;
        int number = 0;
        for (String raw : text.lines().toList()) {
            number++;
            String line = raw.strip();
            if (!terminator.isEmpty()) {
                open.append('\n').append(raw);
                if (line.equals(terminator)) {
                    add(found, start, open.toString());
                    open.setLength(0);
                    terminator = "";
                }
                continue;
            }
            // Comments and blank lines may stand inside a continued instruction.
            if (line.isEmpty() || line.startsWith("#")) {
                continue;
            }
            if (open.isEmpty()) {
                start = number;
            }
            if (line.endsWith("\\")) {
                open.append(line, 0, line.length() - 1).append(' ');
                continue;
            }
            open.append(line);
            terminator = terminator(open);
            if (terminator.isEmpty()) {
                add(found, start, open.toString());
                open.setLength(0);
            }
        }
        if (!open.isEmpty()) {
            add(found, start, open.toString());
        }
        return found;
    }

    /** The word that ends the here-document which a line opens, or an empty text. */
    private static String terminator(CharSequence line) {
        Matcher matcher = HERE_DOCUMENT.matcher(line);
        return matcher.find() ? matcher.group(1) : "";
    }

    /** The shell text of a RUN: a lone here-document is the text itself. */
    static String shellText(String arguments) {
        Matcher matcher = HERE_DOCUMENT.matcher(arguments);
        if (!matcher.lookingAt()) {
            return arguments;
        }
        int first = arguments.indexOf('\n');
        int last = arguments.lastIndexOf('\n');
        return first < last ? arguments.substring(first + 1, last) : "true";
    }

    private static void add(List<Instruction> found, int line, String text) {
        String[] parts = text.strip().split("\\s+", 2);
        String rest = parts.length > 1 ? parts[1].strip() : "";
        found.add(new Instruction(line, parts[0].toUpperCase(Locale.ROOT), rest));
    }

    /** Words of an instruction; quotes and backslashes work as in the shell. */
    static List<String> words(String text) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean inWord = false;
        char quote = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (quote == 0 && Character.isWhitespace(c)) {
                if (inWord) {
                    words.add(word.toString());
                    word.setLength(0);
                }
                inWord = false;
                continue;
            }
            inWord = true;
            if (c == '\\' && quote != '\'' && i + 1 < text.length()) {
                i++;
                word.append(text.charAt(i));
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            } else {
                word.append(c);
            }
        }
        if (inWord) {
            words.add(word.toString());
        }
        return words;
    }
}
