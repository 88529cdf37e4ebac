package dev.millrace.backends.modal;

import dev.millrace.backends.port.SandboxException;
import io.grpc.Metadata;

/** Says to a server who calls. */
interface CallHeaders {

    /** Fresh headers for one call. */
    Metadata next() throws SandboxException;

    /** The server did not accept the last ones: the next have to be others. */
    void refused();
}
