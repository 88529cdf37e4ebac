package dev.millrace.backends.harbor;

import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;

/**
 * A file or a folder that belongs to the result of an attempt.
 *
 * @param source absolute path in the sandbox
 * @param destination relative path where it is kept; empty for that of the source
 * @param exclude patterns of names or paths below the source that are left out, as tar reads them
 */
public record Artifact(String source, String destination, List<String> exclude) {
    /** Folder that is one without being named. */
    static final String USUAL = "/logs/artifacts";

    /** Where it is kept. */
    public String target() {
        return destination.isEmpty() ? source.substring(1) : destination;
    }

    /** Whether an absolute path is the source, or below it and not left out. */
    boolean covers(String path) {
        if (path.equals(source)) {
            return true;
        }
        return path.startsWith(source + "/")
                && exclude.stream()
                        .noneMatch(each -> matches(each, path.substring(source.length() + 1)));
    }

    /** Whether a text is a pattern. */
    static boolean isPattern(String text) {
        try {
            Pattern.compile(regex(text));
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /** A pattern fits a name or a part of a path that begins with a name, and all below it. */
    private static boolean matches(String pattern, String path) {
        Pattern wanted = Pattern.compile(regex(pattern), Pattern.DOTALL);
        for (int from = 0; from >= 0; from = path.indexOf('/', from) + 1) {
            for (int to = path.indexOf('/', from); to >= 0; to = path.indexOf('/', to + 1)) {
                if (wanted.matcher(path.substring(from, to)).matches()) {
                    return true;
                }
            }
            if (wanted.matcher(path.substring(from)).matches()) {
                return true;
            }
            if (path.indexOf('/', from) < 0) {
                return false;
            }
        }
        return false;
    }

    private static String regex(String pattern) {
        StringBuilder text = new StringBuilder();
        String plain = pattern.replaceFirst("^\\./", "").replaceFirst("/$", "");
        for (int i = 0; i < plain.length(); i++) {
            char c = plain.charAt(i);
            int end = c == '[' ? plain.indexOf(']', i + 2) : -1;
            if (end > 0) {
                String set = plain.substring(i + 1, end).replace("\\", "\\\\").replace("[", "\\[");
                text.append('[')
                        .append(set.replaceFirst("^!", "^").replace("&&", "&\\&"))
                        .append(']');
                i = end;
            } else if (c == '*') {
                text.append(".*");
            } else {
                text.append(c == '?' ? "." : Pattern.quote(String.valueOf(c)));
            }
        }
        return text.toString();
    }
}
