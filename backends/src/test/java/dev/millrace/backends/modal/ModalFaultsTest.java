package dev.millrace.backends.modal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.millrace.backends.modal.wire.GenericResult.GenericStatus;
import dev.millrace.backends.modal.wire.NetworkAccess.NetworkAccessType;
import dev.millrace.backends.modal.wire.SandboxCreateRequest;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxException.Kind;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import io.grpc.Status;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What becomes of images and sandboxes when the control plane is in trouble. Runs no command. */
@Timeout(60)
final class ModalFaultsTest {
    private static final AtomicInteger LEASES = new AtomicInteger();

    private StandInServer server;
    private ControlPlane control;
    private ModalSandboxes sandboxes;

    @BeforeEach
    void open() throws Exception {
        server = new StandInServer();
        open(server.settings());
    }

    private void open(ModalSettings settings) throws SandboxException {
        control = new ControlPlane(settings, ModalCredentials.from(StandInServer.TOKEN));
        sandboxes = new ModalSandboxes(control);
    }

    @AfterEach
    void close() throws Exception {
        control.close();
        server.close();
    }

    private SandboxCreateRequest request(String name) throws SandboxException {
        SandboxLimits limits = new SandboxLimits(1.5, 300, 64, 32);
        Lease lease = new Lease("a/b c", "run-1/rollout/0", 3, 120_000);
        SandboxSpec spec = new SandboxSpec(lease, "", "/app", Map.of(), limits);
        CreateRequest.Names names = new CreateRequest.Names(name, "millrace-1-2-3");
        return CreateRequest.of(spec, control.settings(), control.appId(), "im-0", names);
    }

    private String newName() {
        return "sandbox-" + LEASES.incrementAndGet();
    }

    private static SandboxException failure(
            org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        return catchThrowableOfType(SandboxException.class, call);
    }

    @Test
    void asksForHardLimitsAndNoNetwork() throws Exception {
        sandboxes.create(request(newName()));
        var asked = server.control().sandboxes().requests().get(0).getDefinition();
        assertThat(asked.getNetworkAccess().getNetworkAccessType())
                .isEqualTo(NetworkAccessType.BLOCKED);
        assertThat(asked.getResources().getMilliCpu()).isEqualTo(1500);
        assertThat(asked.getResources().getMilliCpuMax()).isEqualTo(1500);
        assertThat(asked.getResources().getMemoryMb()).isEqualTo(300);
        assertThat(asked.getResources().getMemoryMbMax()).isEqualTo(300);
        assertThat(asked.getTimeoutSecs()).isEqualTo(3600);
        assertThat(asked.getIdleTimeoutSecs()).as("a dead man's switch").isEqualTo(300);
    }

    @Test
    void anAnswerThatGotLostMakesNoSecondSandbox() throws Exception {
        server.faults().loseAnswers("SandboxCreate", 1);
        String id = sandboxes.create(request(newName()));
        assertThat(server.control().sandboxes().live()).containsExactly(id);
        assertThat(server.faults().headers("SandboxGetFromName")).hasSize(1);
    }

    @Test
    void findsSandboxesByTheirTagsOverSeveralPages() throws Exception {
        for (int i = 0; i < 8; i++) {
            sandboxes.create(request(newName()));
        }
        assertThat(sandboxes.labelled("dev.millrace.owner", "run-1/rollout/0"))
                .hasSize(8)
                .allSatisfy(
                        found ->
                                assertThat(found.labels())
                                        .containsEntry("dev.millrace.lease", "a/b c")
                                        .containsEntry("dev.millrace.fence", "3")
                                        .containsEntry("millrace-run", "run-1"));
        assertThat(sandboxes.labelled("dev.millrace.owner", "run-2/rollout/0")).isEmpty();
        assertThat(sandboxes.labelled("dev.millrace.owner", "")).hasSize(8);
    }

    @Test
    void aSandboxThatDiesBeforeItRunsIsNotThePolicysFault() throws Exception {
        server.control().sandboxes().dieAtInit();
        String id = sandboxes.create(request(newName()));
        SandboxException died = failure(() -> sandboxes.taskId(id));
        assertThat(died.kind()).isEqualTo(Kind.CREATE_FAILED);
        assertThat(died.policyCaused()).isFalse();
        assertThat(died).hasMessageContaining("INIT_FAILURE no such program");
    }

    @Test
    void aSandboxThatDoesNotStartInTimeIsGivenUp() throws Exception {
        server.control().sandboxes().looksUntilStarted(Integer.MAX_VALUE);
        ModalSettings usual = server.settings();
        control.close();
        open(Variants.startMillis(usual, 200));
        String id = sandboxes.create(request(newName()));
        SandboxException slow = failure(() -> sandboxes.taskId(id));
        assertThat(slow.kind()).isEqualTo(Kind.UNREACHABLE);
        assertThat(slow).hasMessageContaining("200 ms");
    }

    @Test
    void endingOneThatNobodyKnowsIsFine() throws Exception {
        server.faults().fail("SandboxTerminate", Status.NOT_FOUND, 1);
        server.faults().fail("SandboxWait", Status.NOT_FOUND, 1);
        sandboxes.remove("sb-unknown");
    }

    @Test
    void buildsLayersOnTopOfATagOneAfterTheOther() throws Exception {
        control.close();
        open(Variants.layers(server.settings(), List.of("RUN one", "RUN two")));
        Images images = new Images(control);
        assertThat(images.require("debian:12")).isEqualTo("im-2");
        assertThat(images.require("debian:12")).isEqualTo("im-2");
        var known = server.control().images().known();
        assertThat(known.get(0).getDockerfileCommandsList()).containsExactly("FROM debian:12");
        assertThat(known.get(1).getDockerfileCommandsList())
                .containsExactly("FROM base", "RUN one");
        assertThat(known.get(1).getBaseImages(0).getImageId()).isEqualTo("im-0");
        assertThat(known.get(1).getBaseImages(0).getDockerTag()).isEqualTo("base");
        assertThat(known.get(2).getBaseImages(0).getImageId()).isEqualTo("im-1");
        assertThat(server.faults().headers("ImageGetOrCreate")).as("built once").hasSize(3);
    }

    @Test
    void aTasksImageIsBuiltFromItsTag() throws Exception {
        server.control().sandboxes().dieAtInit();
        try (ModalProvider provider = server.provider()) {
            failure(() -> provider.create(on("host.example/team/task:7")));
            assertThat(server.control().images().known().get(0).getDockerfileCommandsList())
                    .containsExactly("FROM host.example/team/task:7");
            SandboxException missing = failure(() -> provider.create(on("no/such:1")));
            assertThat(missing.kind()).isEqualTo(Kind.IMAGE);
            assertThat(missing.policyCaused()).isFalse();
            assertThat(missing).hasMessageContaining("building image no/such:1");
        }
    }

    @Test
    void rootAndNamesOfUsersAreRefusedBeforeAnythingIsMade() {
        try (ModalProvider provider = server.provider()) {
            for (String user : List.of("root", "0", "agent", "0012", "-1")) {
                assertThat(provider.servesUser(user)).as(user).isFalse();
                SandboxException refused = failure(() -> provider.create(on("a:1").as(user)));
                assertThat(refused.kind()).isEqualTo(Kind.UNSUPPORTED);
            }
            assertThat(provider.servesUser("1234")).isTrue();
        }
        assertThat(server.control().images().known()).isEmpty();
    }

    @Test
    void followsABuildOverStreamsThatEndAndBreak() throws Exception {
        server.control().images().building(3, GenericStatus.GENERIC_STATUS_SUCCESS);
        server.faults().fail("ImageJoinStreaming", Status.UNAVAILABLE, 2);
        assertThat(new Images(control).require("debian:12")).isEqualTo("im-0");
        assertThat(server.control().images().joins())
                .containsExactly("", "entry-1", "entry-2", "entry-3");
    }

    @Test
    void aBuildThatFailsIsTheImagesFaultAndSaysWhatItWrote() {
        server.control().images().building(1, GenericStatus.GENERIC_STATUS_FAILURE);
        SandboxException failed = failure(() -> new Images(control).require("debian:12"));
        assertThat(failed.kind()).isEqualTo(Kind.IMAGE);
        assertThat(failed.policyCaused()).isFalse();
        assertThat(failed)
                .hasMessageContaining("FROM debian:12")
                .hasMessageContaining("FAILURE the build failed")
                .hasMessageContaining("line 1\nline 2");
    }

    @Test
    void aBuildThatSomebodyEndedMayBeTriedAgain() {
        server.control().images().building(1, GenericStatus.GENERIC_STATUS_TERMINATED);
        SandboxException ended = failure(() -> new Images(control).require("debian:12"));
        assertThat(ended.kind()).isEqualTo(Kind.UNREACHABLE);
    }

    @Test
    void creationsKeepTheirPaceAndTheirNumber() throws Exception {
        server.control().sandboxes().dieAtInit();
        control.close();
        open(Variants.creations(server.settings(), 20, 2));
        try (ModalProvider provider = new ModalProvider(control.settings(), StandInServer.TOKEN)) {
            long start = System.nanoTime();
            for (int i = 0; i < 5; i++) {
                assertThat(failure(() -> provider.create(spec())).kind())
                        .isEqualTo(Kind.CREATE_FAILED);
            }
            assertThat(System.nanoTime() - start).as("four gaps").isGreaterThan(200_000_000);
        }
        assertThat(server.control().sandboxes().live()).isEmpty();
    }

    @Test
    void aServerThatRefusesCreationsIsNotAskedAgainAtOnce() throws Exception {
        server.faults().fail("SandboxCreate", Status.RESOURCE_EXHAUSTED, 1);
        try (ModalProvider provider = server.provider()) {
            SandboxException often = failure(() -> provider.create(spec()));
            assertThat(often.kind()).isEqualTo(Kind.RATE_LIMITED);
            server.control().sandboxes().dieAtInit();
            long start = System.nanoTime();
            assertThat(failure(() -> provider.create(spec())).kind()).isEqualTo(Kind.CREATE_FAILED);
            assertThat(System.nanoTime() - start).isGreaterThan(900_000_000);
        }
    }

    private SandboxSpec spec() {
        return on("");
    }

    private SandboxSpec on(String image) {
        return new SandboxSpec(
                newName(), "run-1/rollout/0", image, "/app", Map.of(), SandboxLimits.SMALL);
    }

    @Test
    void noSandboxOpensBeyondTheCap() throws Exception {
        server.control().sandboxes().looksUntilStarted(Integer.MAX_VALUE);
        ModalSettings none = Variants.creations(Variants.startMillis(server.settings(), 100), 0, 0);
        try (ModalProvider provider = new ModalProvider(none, StandInServer.TOKEN)) {
            SandboxException full = failure(() -> provider.create(spec()));
            assertThat(full.kind()).isEqualTo(Kind.RATE_LIMITED);
            assertThat(full).hasMessageContaining("sandbox.modal.mostSandboxes");
        }
        assertThat(server.control().sandboxes().requests()).isEmpty();
    }
}
