package dev.millrace.backends.render;

import java.util.ArrayList;
import java.util.List;

/** Text between pairs of marks. */
final class Between {
    private Between() {}

    /** What stands between each pair; pairs must be whole and can't hold one another. */
    static List<String> all(String text, String open, String close) throws MalformedCallException {
        List<String> found = new ArrayList<>();
        int at = 0;
        while (true) {
            int begins = text.indexOf(open, at);
            int ends = text.indexOf(close, at);
            if (begins < 0 && ends < 0) {
                return found;
            }
            if (begins < 0 || (ends >= 0 && ends < begins)) {
                throw new MalformedCallException(close + " without " + open);
            }
            if (ends < 0) {
                throw new MalformedCallException(open + " is never closed by " + close);
            }
            String inside = text.substring(begins + open.length(), ends);
            if (inside.contains(open)) {
                throw new MalformedCallException(open + " inside " + open);
            }
            found.add(inside);
            at = ends + close.length();
        }
    }
}
