package dev.millrace.backends.tinker;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.backends.port.AdamSpec;
import dev.millrace.backends.port.Datum;
import dev.millrace.backends.port.LossSpec;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.List;

/** What bench/skyrl/reference.py computes from a server's files. */
final class Reference {
    /** The folder that {@code bench/skyrl/start} was told. */
    static final String FOLDER = "MILLRACE_TINKER_FOLDER";

    static final String WHY =
            "needs the folder of the server in " + FOLDER + ", as bench/skyrl/start was told";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Reference() {}

    /** Answers to an update on the data, from a publication on. */
    static JsonNode answer(String publication, List<Datum> data, LossSpec loss, AdamSpec adam)
            throws IOException, InterruptedException {
        Path folder = Path.of(System.getenv(FOLDER));
        Process process =
                new ProcessBuilder(
                                folder.resolve("server/.venv/bin/python").toString(),
                                Path.of("../bench/skyrl/reference.py").toString(),
                                folder.toString())
                        .redirectError(ProcessBuilder.Redirect.INHERIT)
                        .start();
        try (OutputStream in = process.getOutputStream()) {
            JSON.writeValue(in, question(publication, data, loss, adam));
        }
        byte[] answer = process.getInputStream().readAllBytes();
        assertThat(process.waitFor()).as("exit code of the reference").isZero();
        return JSON.readTree(answer);
    }

    private static ObjectNode question(
            String publication, List<Datum> data, LossSpec loss, AdamSpec adam) {
        ObjectNode question = JSON.createObjectNode().put("adapter", publication);
        question.put("low", loss.clipLow()).put("high", loss.clipHigh());
        question.putObject("adam")
                .put("rate", adam.learningRate())
                .put("beta1", adam.beta1())
                .put("beta2", adam.beta2())
                .put("epsilon", adam.epsilon());
        ArrayNode sequences = question.putArray("data");
        for (Datum datum : data) {
            ObjectNode sequence = sequences.addObject();
            sequence.set("tokens", JSON.valueToTree(datum.tokens()));
            sequence.set("advantages", JSON.valueToTree(datum.advantages()));
            sequence.set("behavior", JSON.valueToTree(datum.behaviorLogprobs()));
        }
        return question;
    }
}
