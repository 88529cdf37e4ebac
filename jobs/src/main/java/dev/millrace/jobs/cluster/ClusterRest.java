package dev.millrace.jobs.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** What a JobManager answers over REST. */
final class ClusterRest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private final String address;
    private final HttpClient http =
            HttpClient.newBuilder()
                    .version(HttpClient.Version.HTTP_1_1)
                    .connectTimeout(PATIENCE)
                    .build();

    ClusterRest(String address) {
        this.address = address;
    }

    /**
     * The answer to a GET.
     *
     * @throws JobManagerAway when there is none, or one that doesn't know what is asked for
     */
    JsonNode get(String path) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(address + path)).timeout(PATIENCE).build();
        try {
            HttpResponse<byte[]> response =
                    http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new JobManagerAway(path + " is answered with " + response.statusCode());
            }
            return JSON.readTree(response.body());
        } catch (IOException e) {
            throw new JobManagerAway("Nobody answers at " + address, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while asking the JobManager", e);
        }
    }
}
