package dev.millrace.udfs.dataset;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Names of the files that a git diff touches. */
public final class DiffPaths {
    private static final Pattern HEADER =
            Pattern.compile("^diff --git a/(.*) b/(.*)$", Pattern.MULTILINE);

    private static final Pattern DELETED =
            Pattern.compile("^deleted file mode ", Pattern.MULTILINE);

    private DiffPaths() {}

    /** The new names, each once, in the order of the diff. */
    public static List<String> of(String diff) {
        return List.copyOf(names(diff, false));
    }

    /** The new names of files that are there when the diff was applied. */
    public static List<String> left(String diff) {
        String plain = diff.replace("\r\n", "\n");
        Matcher headers = HEADER.matcher(plain);
        Set<String> left = new LinkedHashSet<>();
        while (headers.find()) {
            int hunks = plain.indexOf("\n@@", headers.end());
            int next = plain.indexOf("\ndiff --git ", headers.end());
            int end = hunks < 0 ? plain.length() : hunks;
            String about = plain.substring(headers.end(), next < 0 ? end : Math.min(end, next));
            if (!DELETED.matcher(about).find()) {
                left.add(headers.group(2));
            }
        }
        return List.copyOf(left);
    }

    /** Old and new names: what has to be as it was before the diff is applied. */
    public static List<String> oldAndNew(String diff) {
        return List.copyOf(names(diff, true));
    }

    private static Set<String> names(String diff, boolean old) {
        Set<String> names = new LinkedHashSet<>();
        Matcher headers = HEADER.matcher(diff.replace("\r\n", "\n"));
        while (headers.find()) {
            List<String> both = new ArrayList<>();
            if (old) {
                both.add(headers.group(1));
            }
            both.add(headers.group(2));
            names.addAll(both);
        }
        return names;
    }
}
