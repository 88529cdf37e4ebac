package dev.millrace.backends.tinker;

/** Where policies lie: publications by the server's own paths, base models by their names. */
public final class PolicyUris {
    private static final String BASE = "tinker-base:";

    private PolicyUris() {}

    /** The model without any adapter. */
    public static String ofBaseModel(String name) {
        return BASE + name;
    }

    static boolean isBaseModel(String uri) {
        return uri.startsWith(BASE);
    }

    static String baseModel(String uri) {
        return uri.substring(BASE.length());
    }
}
