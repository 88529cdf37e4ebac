package dev.millrace.pipeline.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/** An S3 server in a process of its own, with one bucket whose objects are files of a folder. */
final class S3Server implements AutoCloseable {
    static final String BUCKET = "millrace";

    /** Where the build puts the server and Flink's plugin. */
    static final Path PARTS = Path.of("target/s3");

    private final Process process;
    private final int port;
    private final Path objects;

    private S3Server(Process process, int port, Path objects) {
        this.process = process;
        this.port = port;
        this.objects = objects;
    }

    static S3Server start(Path folder) throws IOException {
        Path jar = PARTS.resolve("server.jar");
        assertThat(jar).as("the build copies it").exists();
        int port = freePort();
        Path objects = Files.createDirectories(folder.resolve("objects"));
        Files.createDirectories(objects.resolve(BUCKET));
        Path settings =
                Files.write(
                        folder.resolve("s3proxy.properties"),
                        List.of(
                                "s3proxy.endpoint=http://127.0.0.1:" + port,
                                "s3proxy.authorization=none",
                                "jclouds.provider=filesystem",
                                "jclouds.identity=unused",
                                "jclouds.credential=unused",
                                "jclouds.filesystem.basedir=" + objects));
        Process process =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-Xmx256m",
                                "-XX:TieredStopAtLevel=1",
                                "-jar",
                                jar.toAbsolutePath().toString(),
                                "--properties",
                                settings.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("s3proxy.log").toFile())
                        .start();
        await().atMost(Duration.ofMinutes(2)).until(() -> listens(port));
        return new S3Server(process, port, objects);
    }

    int port() {
        return port;
    }

    /** The bucket's objects, as files. */
    Path bucket() {
        return objects.resolve(BUCKET);
    }

    /** Uploads that were begun and neither completed nor aborted. */
    long openUploads() throws IOException, InterruptedException {
        URI uploads = URI.create("http://127.0.0.1:" + port + "/" + BUCKET + "?uploads");
        String list =
                HttpClient.newHttpClient()
                        .send(
                                HttpRequest.newBuilder(uploads).build(),
                                HttpResponse.BodyHandlers.ofString())
                        .body();
        assertThat(list).contains("ListMultipartUploadsResult");
        return Pattern.compile("<UploadId>").matcher(list).results().count();
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly().waitFor();
    }

    private static int freePort() throws IOException {
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return free.getLocalPort();
        }
    }

    private static boolean listens(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        } catch (IOException notYet) {
            return false;
        }
    }
}
