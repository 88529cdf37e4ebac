package dev.millrace.backends.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads one image of a registry, by version 2 of the registries' HTTP interface. Not thread-safe.
 * What it says of a registry in trouble is never about the image.
 */
final class RegistryClient {
    private static final Logger LOG = LoggerFactory.getLogger(RegistryClient.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration CONNECT = Duration.ofSeconds(20);
    private static final Duration ANSWER = Duration.ofSeconds(60);
    private static final int MOST_REDIRECTS = 5;
    private static final int LONGEST_TOKEN = 1 << 20;
    private static final double LONGEST_PAUSE_SECONDS = 3600;

    private final HttpClient http =
            HttpClient.newBuilder()
                    .connectTimeout(CONNECT)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();
    private final RegistryReference image;
    private final RegistryAccess access;
    private String authorization = "";

    RegistryClient(RegistryReference image, RegistryAccess access) {
        this.image = image;
        this.access = access;
    }

    /**
     * Opens a document or a blob.
     *
     * @param path behind the image's name
     * @param accept kinds of documents
     * @throws SandboxException of kind RATE_LIMITED, UNREACHABLE, or IMAGE when it is not to be had
     */
    InputStream get(String path, String accept) throws SandboxException {
        String scheme = access.plain() ? "http" : "https";
        URI address = URI.create(scheme + "://" + image.host() + "/v2/" + image.name() + path);
        HttpResponse<InputStream> answer = send(address, accept, authorization);
        if (answer.statusCode() == 401 && authorization.isEmpty()) {
            authorization = authorize(answer);
            answer = send(address, accept, authorization);
        }
        for (int hops = 0; answer.statusCode() / 100 == 3; hops++) {
            address = next(address, answer, hops);
            // Where the content lies is often somebody else's, who needs no token and gets none.
            answer = send(address, accept, "");
        }
        if (answer.statusCode() != 200) {
            throw failure(answer, path);
        }
        return answer.body();
    }

    private URI next(URI from, HttpResponse<InputStream> answer, int hops) throws SandboxException {
        close(answer);
        String location = answer.headers().firstValue("Location").orElse("");
        URI to = from.resolve(location);
        boolean weaker = from.getScheme().equals("https") && !"https".equals(to.getScheme());
        if (location.isEmpty() || weaker || hops == MOST_REDIRECTS) {
            throw new SandboxException(Kind.UNREACHABLE, image + ": the registry leads nowhere");
        }
        return to;
    }

    private String authorize(HttpResponse<InputStream> refused) throws SandboxException {
        close(refused);
        String header = refused.headers().firstValue("WWW-Authenticate").orElse("");
        Optional<RegistryChallenge> challenge = RegistryChallenge.parse(header);
        if (challenge.isEmpty()) {
            return basic();
        }
        URI address = challenge.get().request(image.name());
        if (!access.plain() && !"https".equals(address.getScheme())) {
            throw new SandboxException(Kind.IMAGE, image + ": a token is only asked for by https");
        }
        HttpResponse<InputStream> answer = send(address, "application/json", basic());
        if (answer.statusCode() != 200) {
            throw failure(answer, " token");
        }
        try (InputStream body = answer.body()) {
            JsonNode token = JSON.readTree(body.readNBytes(LONGEST_TOKEN));
            String text = token.path("token").asText(token.path("access_token").asText(""));
            return "Bearer " + text;
        } catch (IOException e) {
            throw unreachable(e);
        }
    }

    private String basic() {
        return access.credentials()
                .map(pair -> pair.getBytes(StandardCharsets.UTF_8))
                .map(bytes -> "Basic " + Base64.getEncoder().encodeToString(bytes))
                .orElse("");
    }

    private HttpResponse<InputStream> send(URI address, String accept, String authorized)
            throws SandboxException {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(address).timeout(ANSWER).header("Accept", accept);
        if (!authorized.isEmpty()) {
            request.header("Authorization", authorized);
        }
        try {
            return http.send(request.build(), BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw unreachable(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SandboxException(Kind.CANCELLED, false, "cancelled by the caller", e);
        }
    }

    private SandboxException failure(HttpResponse<InputStream> answer, String path) {
        close(answer);
        int status = answer.statusCode();
        String what = image + path + ": the registry answers " + status;
        if (status == 429) {
            return new SandboxException(what, pauseMillis(answer.headers()));
        }
        boolean ours = status / 100 == 4 && status != 408;
        return new SandboxException(ours ? Kind.IMAGE : Kind.UNREACHABLE, what);
    }

    /** How long it asks to wait; 0 when it doesn't say, or says a date. */
    private static long pauseMillis(HttpHeaders headers) {
        String text = headers.firstValue("Retry-After").orElse("").strip();
        if (!text.matches("[0-9]{1,9}")) {
            return 0;
        }
        return Math.round(1000 * Math.min(LONGEST_PAUSE_SECONDS, Integer.parseInt(text)));
    }

    private SandboxException unreachable(IOException e) {
        String message = image + ": no answer from the registry: " + e;
        return new SandboxException(Kind.UNREACHABLE, false, message, e);
    }

    private static void close(HttpResponse<InputStream> answer) {
        try {
            answer.body().close();
        } catch (IOException alreadyGone) {
            LOG.debug("closing an answer failed", alreadyGone);
        }
    }
}
