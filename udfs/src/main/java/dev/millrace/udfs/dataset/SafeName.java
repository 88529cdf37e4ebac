package dev.millrace.udfs.dataset;

import java.util.Locale;
import java.util.regex.Pattern;

/** Names made fit for files. */
public final class SafeName {
    private static final Pattern UNSAFE = Pattern.compile("[^A-Za-z0-9_.-]+");
    private static final Pattern NOT_SLUG = Pattern.compile("[^a-z0-9]+");

    private SafeName() {}

    /** Name of a task's folder. Names that are dots only would leave the folder of tasks. */
    public static String ofTask(String instanceId) {
        String safe = UNSAFE.matcher(instanceId).replaceAll("__");
        return safe.isEmpty() || safe.matches("\\.+") ? "task" : safe;
    }

    /** Lower case, with single dashes for everything that is no letter or digit; may be empty. */
    public static String slug(String text) {
        String dashed = NOT_SLUG.matcher(text.toLowerCase(Locale.ROOT)).replaceAll("-");
        return dashed.replaceAll("^-|-$", "");
    }
}
