package dev.millrace.backends.tinker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.backends.port.Datum;
import java.net.http.HttpHeaders;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClientRulesTest {
    private static final TinkerSettings SETTINGS =
            new TinkerSettings(
                    "http://localhost",
                    "m",
                    4,
                    1,
                    8,
                    10,
                    List.of(0),
                    ServerTraits.asSpecified(),
                    TinkerTimes.usual());

    private static Datum datum(int[] tokens, float advantage, float logprob) {
        float[] advantages = new float[tokens.length];
        float[] logprobs = new float[tokens.length];
        advantages[tokens.length - 1] = advantage;
        logprobs[tokens.length - 1] = logprob;
        return new Datum(tokens, advantages, logprobs);
    }

    private static void refuses(Datum datum, String why) {
        assertThatThrownBy(() -> new LossData(SETTINGS).of(List.of(datum)))
                .hasMessageContaining(why);
    }

    @Test
    void refusesDataThatServersTakeInSilence() {
        assertThatThrownBy(() -> new LossData(SETTINGS).of(List.of()))
                .hasMessageContaining("there is no datum");
        refuses(datum(new int[] {1}, 1, -1), "1 tokens");
        refuses(datum(new int[9], 1, -1), "9 tokens, the model takes 8");
        refuses(datum(new int[] {1, 10}, 1, -1), "a token that is none: 10");
        refuses(datum(new int[] {1, 2}, Float.NaN, -1), "no");
        refuses(datum(new int[] {1, 2}, 1, Float.NEGATIVE_INFINITY), "none at token 1");
    }

    @Test
    void shiftsSequencesByOneToken() {
        Datum datum = datum(new int[] {5, 6, 7}, 0.5f, -2);
        LossDatum shifted = new LossData(SETTINGS).of(List.of(datum)).get(0);
        assertThat(shifted.inputs()).containsExactly(5, 6);
        assertThat(shifted.targets()).containsExactly(6, 7);
        assertThat(shifted.advantages()).containsExactly(0, 0.5f);
        assertThat(shifted.logprobs()).containsExactly(0, -2);
        assertThat(shifted.weights()).isNull();
    }

    @Test
    void splitsDataIntoRequestsThatServersAccept() {
        LossDatum large =
                new LossDatum(
                        new int[50_000],
                        new int[50_000],
                        new float[50_000],
                        new float[50_000],
                        null);
        List<LossDatum> data = new ArrayList<>(List.of(large, large, large, large, large));
        assertThat(Chunks.of(data)).extracting(List::size).containsExactly(2, 2, 1);
        LossDatum small = new LossDatum(new int[1], new int[1], new float[1], new float[1], null);
        data.clear();
        for (int i = 0; i < 1025; i++) {
            data.add(small);
        }
        assertThat(Chunks.of(data)).extracting(List::size).containsExactly(1024, 1);
    }

    @Test
    void givesDifferentNamesDifferentCheckpointNames() {
        Set<String> names = new HashSet<>();
        for (String name : List.of("a.b", "a_b", "a__b", "a_002eb", "a/b", "a-b", "ä")) {
            String escaped = CheckpointName.of(name);
            assertThat(escaped).matches("[A-Za-z0-9_-]+");
            names.add(escaped);
        }
        assertThat(names).hasSize(7);
        assertThatThrownBy(() -> CheckpointName.of("x".repeat(256)))
                .hasMessageContaining("1 to 255");
    }

    @Test
    void foldsSeedsIntoWhatServersAccept() {
        assertThat(Seed32.of(4242)).isEqualTo(4242);
        Set<Integer> seeds = new HashSet<>();
        for (long seed = -500; seed < 500; seed++) {
            int folded = Seed32.of(seed * 1_000_003_000_001L);
            assertThat(folded).isNotNegative().isLessThan(Integer.MAX_VALUE);
            seeds.add(folded);
        }
        assertThat(seeds).hasSizeGreaterThan(998);
    }

    @Test
    void readsThePauseThatAServerAsksFor() {
        assertThat(pause(Map.of("Retry-After", List.of("2.5")))).isEqualTo(2500);
        assertThat(pause(Map.of("retry-after-ms", List.of("40")))).isEqualTo(40);
        assertThat(pause(Map.of("Retry-After", List.of("61")))).isZero();
        assertThat(pause(Map.of("Retry-After", List.of("Sun, 29 Nov 2026")))).isZero();
        assertThat(pause(Map.of())).isZero();
    }

    private static long pause(Map<String, List<String>> headers) {
        return RetryAfter.millis(HttpHeaders.of(headers, (name, value) -> true));
    }

    @Test
    void saysWhatAServerRefusedWithoutRepeatingTheInput() {
        String body =
                "{\"detail\":[{\"loc\":[\"body\",\"path\"],\"msg\":\"bad\",\"input\":\"secret\"}]}";
        HttpAnswer answer =
                new HttpAnswer(422, "application/json", body.getBytes(StandardCharsets.UTF_8), 0);
        assertThat(answer.detail()).isEqualTo("body.path: bad");
        byte[] long500 = "x".repeat(9_000).getBytes(StandardCharsets.UTF_8);
        assertThat(new HttpAnswer(500, "text/plain", long500, 0).detail()).hasSizeLessThan(500);
    }

    @Test
    void readsLogprobsFromProtobuf() {
        float[] first = {-1, -2};
        float[] second = {-3};
        ProtoWriter batch =
                new ProtoWriter()
                        .bytes(1, ProtoWriter.packed(new float[] {-1, -2, -3}))
                        .bytes(2, ProtoWriter.packedLongs(new int[] {0, 8, 12}));
        ProtoWriter record =
                new ProtoWriter()
                        .text(1, "scalar")
                        .message(2, new ProtoWriter().text(1, "logprobs").message(2, batch));
        byte[] result = new ProtoWriter().text(1, "scalar").message(2, record).toBytes();
        assertThat(ForwardBackwardProto.logprobs(result)).containsExactly(first, second);
        assertThatThrownBy(() -> ForwardBackwardProto.logprobs(new byte[] {18, 127}))
                .hasMessageContaining("broken");
    }

    @Test
    void readsSamplesFromProtobuf() {
        ProtoWriter sequence =
                new ProtoWriter()
                        .number(1, 1L)
                        .bytes(2, ProtoWriter.packed(new int[] {4, 5}))
                        .bytes(3, ProtoWriter.packed(new float[] {-1, -2}));
        byte[] message =
                new ProtoWriter()
                        .message(1, sequence)
                        .bytes(2, ProtoWriter.packed(new float[] {Float.NaN, -3}))
                        .toBytes();
        SampleResult said = SampleProto.read(message);
        assertThat(said.tokens()).containsExactly(4, 5);
        assertThat(said.logprobs()).containsExactly(-1, -2);
        assertThat(said.stopped()).isFalse();
        assertThat(said.ofPrompt(2)).containsExactly(0, -3);
        assertThatThrownBy(() -> said.ofPrompt(4)).hasMessageContaining("for 4 tokens");
    }

    @Test
    void refusesAddressesThatAreNone() {
        for (String address : List.of("ftp://x", "localhost:80", "http://")) {
            assertThatThrownBy(() -> new HttpTransport(address, ApiKey.of(""), TinkerTimes.usual()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
