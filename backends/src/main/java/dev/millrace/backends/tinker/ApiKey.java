package dev.millrace.backends.tinker;

import java.util.Optional;

/** What a server knows its client by. Read where it is used, never part of state, logs or text. */
final class ApiKey {
    /** Variable of the environment that holds the key. */
    static final String VARIABLE = "TINKER_API_KEY";

    private final String value;

    private ApiKey(String value) {
        this.value = value;
    }

    /** The key of this process; some servers need none. */
    static ApiKey fromEnvironment() {
        return of(System.getenv(VARIABLE));
    }

    /** A key; null or blank for none. */
    static ApiKey of(String value) {
        return new ApiKey(value == null || value.isBlank() ? null : value.strip());
    }

    /** The header's value, if there is a key. */
    Optional<String> header() {
        return Optional.ofNullable(value);
    }

    @Override
    public String toString() {
        return value == null ? "no key" : "a key";
    }
}
