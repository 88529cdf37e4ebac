package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.ExecResult;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageSandboxTest {
    private static final SandboxLimits PREPARATION = new SandboxLimits(1.0, 256, 64, 64);

    @TempDir static Path images;
    private static Path image;

    @TempDir Path scratch;
    private BubblewrapProvider provider;
    private int created;

    @BeforeAll
    static void makeImage() throws Exception {
        image = HostTree.make(images.resolve("host-tree"));
    }

    @BeforeEach
    void open() throws SandboxException {
        BubblewrapSettings usual =
                BubblewrapSettings.in(scratch, BubblewrapSettings.Shell.BASH)
                        .granting(
                                new PreparationGrant(
                                        false,
                                        Map.of("INDEX", "here"),
                                        List.of("/etc/hostname"),
                                        PREPARATION));
        provider = new BubblewrapProvider(usual);
        List<String> missing = provider.probe().notEnforced();
        assumeTrue(
                missing.stream().noneMatch(line -> line.contains("shared file trees")),
                () -> "this host can't share file trees: " + missing);
    }

    @AfterEach
    void close() {
        provider.close();
    }

    @Test
    void theRootIsTheImagesAndBelongsToTheSandbox() throws Exception {
        try (Sandbox first = provider.create(spec(image));
                Sandbox second = provider.create(spec(image))) {
            assertThat(said(first, "cat /usr/share/mark; id -u; ls /; ls -d /usr/lib*; pwd"))
                    .contains("of the image\n0\n")
                    .doesNotContain("python")
                    .endsWith("/usr/src/app\n");
            assertThat(said(first, "rm /usr/share/mark; echo 1 >/usr/bin/new; ls /usr/bin/new"))
                    .isEqualTo("/usr/bin/new\n");
            assertThat(said(second, "cat /usr/share/mark; ls /usr/bin/new")).startsWith("of the");
        }
        assertThat(image.resolve("usr/share/mark")).exists();
    }

    @Test
    void whatPreparationChangesIsKeptWithoutTheImage() throws Exception {
        try (Sandbox making = provider.create(spec(image).forPreparation())) {
            making.putFiles("/opt", List.of(file("given", "by the task\n")));
            said(
                    making,
                    "rm /usr/share/gone; rm -r /home/app; mkdir /home/app; echo 2 >/home/app/own;"
                            + " echo 3 >/usr/bin/tool; chmod 755 /usr/bin/tool");
            assertThat(making.keepAs("made")).isTrue();
        }
        try (Sandbox later = provider.createFrom("made", spec(image)).orElseThrow()) {
            assertThat(said(later, "cat /opt/given /home/app/own /usr/bin/tool /usr/share/mark"))
                    .isEqualTo("by the task\n2\n3\nof the image\n");
            assertThat(said(later, "ls /usr/share/gone")).contains("No such file");
        }
        try (Stream<Path> files = Files.walk(scratch)) {
            assertThat(files.filter(path -> path.endsWith("usr/bin/bash"))).hasSize(1);
        }
    }

    @Test
    void preparationAloneSeesWhatItIsGranted() throws Exception {
        String ask = "echo \"${INDEX:-none}\"; cat /etc/hostname";
        try (Sandbox making = provider.create(spec(image).forPreparation());
                Sandbox agents = provider.create(spec(image))) {
            String name = Files.readString(Path.of("/etc/hostname"));
            assertThat(said(making, ask)).isEqualTo("here\n" + name);
            assertThat(said(agents, ask)).startsWith("none\n").contains("No such file");
        }
    }

    @Test
    void rootMayGiveFilesAwayAndKeepsThem() throws Exception {
        try (Sandbox making = provider.create(spec(image).forPreparation())) {
            ExecResult result = exec(making, "touch x; chown 33:34 x && stat -c %u x");
            assertThat(text(result)).isEqualTo("0\n");
            assertThat(result.exitCode()).isZero();
        }
    }

    @Test
    void aUserOfTheImageHasTheirNumberAndHome() throws Exception {
        try (Sandbox sandbox = provider.create(spec(image).as("app"))) {
            assertThat(said(sandbox, "id -u; id -g; echo $HOME; chown 33 /tmp"))
                    .startsWith("1234\n1234\n/home/app\n")
                    .contains("Invalid argument");
        }
        assertThatThrownBy(() -> provider.create(spec(image).as("nobody-here")))
                .isInstanceOf(SandboxException.class)
                .hasMessageContaining("has no user nobody-here");
    }

    @Test
    void aSandboxOnAnImageIsAsClosedAsAnyOther() throws Exception {
        try (Sandbox sandbox = provider.create(spec(image))) {
            String closed =
                    said(
                            sandbox,
                            "while read a b; do case $a in Cap*|NoNew*|Seccomp:) echo $a $b;; esac;"
                                + " done </proc/self/status; ls /sys/class/net /proc/net/dev 2>&1;"
                                + " cat /proc/net/route; echo /proc/[0-9]*");
            assertThat(closed)
                    .contains("CapEff: 0000000000000000", "CapBnd: 0000000000000000")
                    .contains("NoNewPrivs: 1")
                    .doesNotContain("eth0");
            assertThat(said(sandbox, "echo x >/proc/sys/kernel/hostname; echo x >/dev/mem"))
                    .doesNotContain("x\n");
        }
    }

    @Test
    void anImageThatIsNotThereIsNamed() {
        Path absent = images.resolve("absent");
        assertThatThrownBy(() -> provider.create(spec(absent)))
                .isInstanceOfSatisfying(
                        SandboxException.class,
                        e -> {
                            assertThat(e.kind()).isEqualTo(SandboxException.Kind.IMAGE);
                            assertThat(e).hasMessageContaining(absent.toString());
                        });
    }

    @Test
    void anImageWithoutAShellIsRefusedAndLeavesNothing() throws Exception {
        Path empty = Files.createDirectories(images.resolve("empty"));
        assertThatThrownBy(() -> provider.create(spec(empty))).hasMessageContaining("/bin/sh");
        try (Stream<Path> left = Files.walk(scratch)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("layer")))
                    .hasSize(2);
        }
    }

    private SandboxSpec spec(Path root) {
        Lease lease = Lease.of("lease-" + created++, "test");
        return new SandboxSpec(
                lease, root.toString(), "/usr/src/app", Map.of(), SandboxLimits.SMALL);
    }

    private static SandboxFile file(String path, String text) {
        return new SandboxFile(path, text.getBytes(StandardCharsets.UTF_8), false);
    }

    private static ExecResult exec(Sandbox sandbox, String command) throws SandboxException {
        return sandbox.exec(new ExecRequest("e", command, "", Map.of(), 20_000, 8_000));
    }

    private static String text(ExecResult result) {
        return new String(result.output(), StandardCharsets.UTF_8);
    }

    private static String said(Sandbox sandbox, String command) throws SandboxException {
        return text(exec(sandbox, command));
    }
}
