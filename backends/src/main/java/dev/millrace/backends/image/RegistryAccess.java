package dev.millrace.backends.image;

import java.util.Optional;

/**
 * How a registry is spoken to.
 *
 * @param plain whether without encryption, for one on a network of one's own
 * @param credentials user and password with a colon between
 */
public record RegistryAccess(boolean plain, Optional<String> credentials) {
    /** Encrypted, as anybody. */
    public static final RegistryAccess ANONYMOUS = new RegistryAccess(false, Optional.empty());

    @Override
    public String toString() {
        return plain ? "plain" : "encrypted";
    }
}
