package dev.millrace.backends.tinker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import dev.millrace.backends.fake.tinker.FakeTinkerServer;
import dev.millrace.backends.fake.tinker.ServerShape;
import dev.millrace.backends.tinker.ServerTraits.Reduction;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ServerCheckTest {
    private static final ApiKey KEY = ApiKey.of("tml-test");

    private FakeTinkerServer server;

    @BeforeEach
    void start() throws IOException {
        server = new FakeTinkerServer(ServerShape.usual());
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private ServerTraits probe() throws ServerRefusedException {
        return probe(1);
    }

    private ServerTraits probe(int runs) throws ServerRefusedException {
        return new ServerCheck(TinkerBackend.settings(server), KEY).probe(runs);
    }

    private static TinkerSettings settings(String url, String model, int rank, int context) {
        return new TinkerSettings(
                url,
                model,
                rank,
                1,
                context,
                29,
                List.of(0),
                ServerTraits.asSpecified(),
                TinkerBackend.QUICK);
    }

    private static void refuses(TinkerSettings settings, ApiKey key, String... words) {
        assertThatThrownBy(() -> new ServerCheck(settings, key).reachable())
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void findsAServerThatKeepsTheProtocol() throws Exception {
        new ServerCheck(TinkerBackend.settings(server), KEY).reachable();
        assertThat(probe()).isEqualTo(ServerTraits.asSpecified());
        assertThat(server.counts().loadedModels()).isZero();
    }

    @Test
    void makesAnAdapterForEachRunAndLeavesNone() throws Exception {
        assertThat(probe(4)).isEqualTo(ServerTraits.asSpecified());
        assertThat(server.counts().createdModels()).isEqualTo(4);
        assertThat(server.counts().loadedModels()).isZero();
    }

    @Test
    void saysWhenThereIsNoSlotForEachRun() {
        assertThatThrownBy(() -> probe(6))
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContaining("run.clients: 6 runs need an adapter slot each")
                .hasMessageContaining("has 4 free (")
                .hasMessageContaining("set run.clients to at most 4");
        assertThat(server.counts().loadedModels()).isZero();
    }

    @Test
    void noticesPublicationsThatTrainingOverwrites() throws Exception {
        server.faults().overwritesPublications();
        assertThat(probe().immutablePublications()).isFalse();
    }

    @Test
    void noticesAServerThatAverages() throws Exception {
        server.faults().averages();
        assertThat(probe().reduction()).isEqualTo(Reduction.MEAN);
    }

    @Test
    void noticesAServerThatRepeatsWhatItHasDone() throws Exception {
        server.faults().forgetsNumbers();
        assertThat(probe().repeatsSafely()).isFalse();
    }

    @Test
    void saysWhatIsWrongWithTheAddress() throws IOException {
        refuses(settings("http://127.0.0.1:1", "m", 4, 64), KEY, "baseUrl", "127.0.0.1:1");
        refuses(settings("nonsense", "m", 4, 64), KEY, "baseUrl", "nonsense is no http");
        HttpServer other =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        other.start();
        String url = "http://127.0.0.1:" + other.getAddress().getPort();
        refuses(settings(url, "m", 4, 64), KEY, url, "does not speak the Tinker protocol");
        other.stop(0);
    }

    @Test
    void saysWhenTheKeyIsRefusedOrMissing() {
        TinkerSettings settings = TinkerBackend.settings(server);
        refuses(settings, ApiKey.of("tml-other"), "refuses the key in TINKER_API_KEY");
        refuses(settings, ApiKey.of(null), "asks for a key: set TINKER_API_KEY");
    }

    @Test
    void saysWhenTheModelIsNotServedOrTooShort() {
        refuses(
                settings(server.url(), "qwen", 4, 64),
                KEY,
                "baseModel: qwen is not served",
                "it serves fake/bigram");
        refuses(
                settings(server.url(), "fake/bigram", 4, 1024),
                KEY,
                "rollout.contextTokens: 1024 is more than the 512");
    }

    @Test
    void saysWhenTheRankIsTooLargeOrNoSlotIsFree() throws IOException {
        TinkerSettings large = settings(server.url(), "fake/bigram", 64, 64);
        assertThatThrownBy(() -> new ServerCheck(large, KEY).probe(1))
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContaining("policy.tinker.rank")
                .hasMessageContaining("LoRA rank 64 must be between 1 and 8");
        server.close();
        server = new FakeTinkerServer(ServerShape.usual().with(0, 60_000));
        assertThatThrownBy(this::probe)
                .isInstanceOf(ServerRefusedException.class)
                .hasMessageContaining("no free adapter slot");
    }
}
