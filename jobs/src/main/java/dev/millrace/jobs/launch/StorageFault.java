package dev.millrace.jobs.launch;

import java.util.Locale;

/** What a storage's exception means, in a line. Its own classes are out of sight in a plugin. */
final class StorageFault {
    private StorageFault() {}

    static String explain(Throwable failure) {
        StringBuilder all = new StringBuilder();
        for (Throwable each = failure; each != null; each = each.getCause()) {
            all.append(each).append('\n');
        }
        String text = all.toString().toLowerCase(Locale.ROOT);
        if (has(text, "signaturedoesnotmatch", "invalidaccesskeyid", "invalid access key")) {
            return "the credentials are wrong; see s3.access-key and s3.secret-key";
        }
        if (has(text, "nosuchbucket", "bucket does not exist", "unknownstoreexception")) {
            return "there is no such bucket";
        }
        if (has(text, "accessdenied", "status code: 403", "forbidden")) {
            return "these credentials have no right to write there";
        }
        if (has(text, "connection refused", "connectexception", "unknownhost", "timed out")) {
            return "the storage can't be reached; see s3.endpoint";
        }
        return firstLine(failure);
    }

    private static boolean has(String text, String... signs) {
        for (String sign : signs) {
            if (text.contains(sign)) {
                return true;
            }
        }
        return false;
    }

    private static String firstLine(Throwable failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("no reason given");
    }
}
