package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.util.Map;

/** A token of a Modal workspace. Its secret part is in no text that this makes of itself. */
public final class ModalCredentials {
    private static final String ID = "MODAL_TOKEN_ID";
    private static final String SECRET = "MODAL_TOKEN_SECRET";

    private final String tokenId;
    private final String tokenSecret;

    /** As Modal gave them out. */
    public ModalCredentials(String tokenId, String tokenSecret) {
        this.tokenId = tokenId;
        this.tokenSecret = tokenSecret;
    }

    /**
     * Those of the process's environment.
     *
     * @throws SandboxException of kind UNSUPPORTED, naming the variables, when there are none
     */
    public static ModalCredentials from(Map<String, String> environment) throws SandboxException {
        String id = environment.getOrDefault(ID, "");
        String secret = environment.getOrDefault(SECRET, "");
        if (id.isEmpty() || secret.isEmpty()) {
            throw new SandboxException(
                    Kind.UNSUPPORTED,
                    "no token for Modal: set the environment variables " + ID + " and " + SECRET);
        }
        return new ModalCredentials(id, secret);
    }

    String tokenId() {
        return tokenId;
    }

    String tokenSecret() {
        return tokenSecret;
    }

    @Override
    public String toString() {
        return "ModalCredentials[hidden]";
    }
}
