package dev.millrace.backends.modal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Base64;

/** The one claim that a client looks at: when a token ends. Nothing is verified. */
final class JsonWebToken {
    private static final ObjectMapper JSON = new ObjectMapper();

    private JsonWebToken() {}

    /** Milliseconds since 1970, or the other value where the token doesn't say. */
    static long expiryMillis(String token, long otherwise) {
        String[] parts = token.split("\\.", -1);
        if (parts.length != 3) {
            return otherwise;
        }
        try {
            JsonNode claims = JSON.readTree(Base64.getUrlDecoder().decode(parts[1]));
            JsonNode expiry = claims == null ? null : claims.get("exp");
            return expiry != null && expiry.isNumber() ? expiry.asLong() * 1000 : otherwise;
        } catch (IOException | IllegalArgumentException unreadable) {
            return otherwise;
        }
    }
}
