package dev.millrace.backends.modal;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Short-lived tokens of the stand-in server. */
final class ServedTokens {
    private final AtomicInteger count = new AtomicInteger();
    private final Set<String> valid = ConcurrentHashMap.newKeySet();
    private volatile long lifeMillis = 20 * 60_000;

    /** A fresh one. */
    String issue() {
        long end = (System.currentTimeMillis() + lifeMillis) / 1000;
        String claims = "{\"exp\": " + end + ", \"n\": " + count.incrementAndGet() + "}";
        String token = part("{}") + "." + part(claims) + "." + part("signature");
        valid.add(token);
        return token;
    }

    static String part(String text) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }

    boolean accepts(String token) {
        return valid.contains(token);
    }

    /** None of those that are out is accepted any more. */
    void revokeAll() {
        valid.clear();
    }

    /** Of those to come. */
    void lifeMillis(long millis) {
        lifeMillis = millis;
    }
}
