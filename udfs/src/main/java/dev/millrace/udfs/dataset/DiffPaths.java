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

    private DiffPaths() {}

    /** The new names, each once, in the order of the diff. */
    public static List<String> of(String diff) {
        return List.copyOf(names(diff, false));
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
