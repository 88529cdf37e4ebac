package dev.millrace.jobs.launch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import org.junit.jupiter.api.Test;

class StorageFaultTest {
    @Test
    void saysWhatAPersonCanMend() {
        assertThat(explain("getFileStatus: Status Code: 403; Error Code: SignatureDoesNotMatch"))
                .contains("credentials are wrong");
        assertThat(explain("Error Code: InvalidAccessKeyId")).contains("credentials are wrong");
        assertThat(explain("Status Code: 404; Error Code: NoSuchBucket"))
                .contains("no such bucket");
        assertThat(explain("PUT: Access Denied (Error Code: AccessDenied)"))
                .contains("no right to write");
        assertThat(StorageFault.explain(new IOException("x", new ConnectException("refused"))))
                .contains("can't be reached");
        assertThat(explain("something else\nat a.b.c")).isEqualTo("something else");
    }

    private static String explain(String message) {
        return StorageFault.explain(new IOException(message));
    }
}
