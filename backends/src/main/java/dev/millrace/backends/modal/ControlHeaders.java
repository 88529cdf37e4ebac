package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import io.grpc.Metadata;

/** Who calls the control plane, with or without the short-lived token. */
final class ControlHeaders implements CallHeaders {
    /** Of clients that are none of Modal's own. */
    private static final String GENERIC_CLIENT = "7";

    /** What the server may take for granted of such a client. */
    private static final String COMPATIBLE_WITH = "1.0.0";

    private final Metadata fixed = new Metadata();
    private final AuthTokens tokens;

    /**
     * @param tokens null for the call that gets one
     */
    ControlHeaders(ModalCredentials credentials, AuthTokens tokens) {
        this.tokens = tokens;
        put(fixed, "x-modal-client-type", GENERIC_CLIENT);
        put(fixed, "x-modal-client-version", COMPATIBLE_WITH);
        put(fixed, "x-modal-libmodal-version", "millrace/0.1.0");
        put(fixed, "x-modal-token-id", credentials.tokenId());
        put(fixed, "x-modal-token-secret", credentials.tokenSecret());
    }

    private static void put(Metadata headers, String name, String value) {
        headers.put(Metadata.Key.of(name, Metadata.ASCII_STRING_MARSHALLER), value);
    }

    @Override
    public Metadata next() throws SandboxException {
        Metadata headers = new Metadata();
        headers.merge(fixed);
        if (tokens != null) {
            put(headers, "x-modal-auth-token", tokens.current());
        }
        return headers;
    }

    @Override
    public void refused() {
        if (tokens != null) {
            tokens.refused();
        }
    }
}
