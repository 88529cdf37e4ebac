package dev.millrace.backends.bubblewrap;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.millrace.backends.port.ExecRequest;
import dev.millrace.backends.port.Sandbox;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxFile;
import dev.millrace.backends.port.SandboxLimits;
import dev.millrace.backends.port.SandboxSpec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LayersTest {
    private static final int MEGABYTE = 1 << 20;

    @TempDir Path scratch;
    private BubblewrapProvider provider;
    private int created;

    @BeforeEach
    void open() throws SandboxException {
        provider = new BubblewrapProvider(scratch);
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
    void whatASandboxChangesIsItsOwn() throws Exception {
        try (Sandbox first = prepared("a");
                Sandbox second = from("a");
                Sandbox third = from("a")) {
            assertThat(said(second, "cat text; rm text; echo 2 > new; chmod 700 tool; ls"))
                    .isEqualTo("as it was\nnew\ntool\n");
            assertThat(said(third, "cat text; ls; ./tool; stat -c '%u %a' tool text"))
                    .isEqualTo("as it was\ntext\ntool\nrun\n1000 755\n1000 644\n");
            assertThat(said(first, "ls")).isEqualTo("text\ntool\n");
        }
    }

    @Test
    void aTreeGoesOnWhenTheSandboxThatItCameFromHasEnded() throws Exception {
        prepared("a").close();
        try (Sandbox later = from("a")) {
            assertThat(said(later, "cat text; cat /etc/marker; id -un; echo $HOME"))
                    .isEqualTo("as it was\nbelow etc\nagent\n/home/agent\n");
        }
    }

    @Test
    void thereIsNoTreeUnderAnotherKey() throws Exception {
        prepared("a").close();
        assertThat(provider.createFrom("b", spec())).isEmpty();
    }

    @Test
    void theDiskOfASandboxIsAsLargeAsItsLimitBesidesTheTree() throws Exception {
        prepared("a").close();
        int limit = SandboxLimits.SMALL.diskMb();
        try (Sandbox sandbox = from("a")) {
            String fill = "head -c " + 2L * limit * MEGABYTE + " /dev/zero > big 2>/dev/null";
            assertThat(
                            said(
                                    sandbox,
                                    fill
                                            + "; echo $(( $(stat -c %s big) <= "
                                            + limit
                                            + " * 1048576 ))"))
                    .isEqualTo("1\n");
        }
    }

    @Test
    void fortySandboxesOfATreeTakeLittleMoreDiskThanOne() throws Exception {
        try (Sandbox first = sandbox()) {
            byte[] random = new byte[8 * MEGABYTE];
            new java.util.Random(1).nextBytes(random);
            first.putFiles("/workspace", List.of(new SandboxFile("data", random, false)));
            assertThat(first.keepAs("large")).isTrue();
        }
        long one = bytesOnDisk();
        List<Sandbox> group = new ArrayList<>();
        try {
            long own = 0;
            for (int i = 0; i < 40; i++) {
                Sandbox sandbox = from("large");
                group.add(sandbox);
                own +=
                        1024
                                * Long.parseLong(
                                        said(sandbox, "echo x > y; df -k --output=used / | tail -1")
                                                .strip());
            }
            assertThat(one).isGreaterThan(random(8));
            assertThat(bytesOnDisk() + own).isLessThan(one * 12 / 10);
        } finally {
            group.forEach(Sandbox::close);
        }
    }

    @Test
    void aTreeThatTakesMoreOnTheHostThanASandboxMayHaveIsNotKept() throws Exception {
        int limit = SandboxLimits.SMALL.diskMb();
        try (Sandbox holes = sandbox()) {
            said(holes, "for i in 1 2 3; do truncate -s " + limit + "M hole$i; done");
            assertThat(holes.keepAs("holes")).isFalse();
            assertThat(said(holes, "ls")).isEqualTo("hole1\nhole2\nhole3\n");
        }
        assertThat(provider.createFrom("holes", spec())).isEmpty();
        assertThat(bytesOnDisk()).isLessThan(MEGABYTE);
    }

    @Test
    void treesThatNobodyUsesMakeRoomForNewOnes() throws Exception {
        try (Sandbox source = prepared("first");
                Sandbox user = from("first")) {
            for (int i = 0; i < Layers.uidCount() + 3; i++) {
                assertThat(source.keepAs("more-" + i)).isTrue();
            }
            assertThat(said(user, "cat text")).isEqualTo("as it was\n");
            assertThat(provider.createFrom("more-0", spec())).isEmpty();
            from("first").close();
        }
    }

    @Test
    void nothingIsLeftOfThem() throws Exception {
        prepared("a").close();
        from("a").close();
        provider.close();
        try (Stream<Path> left = Files.list(scratch)) {
            assertThat(left).isEmpty();
        }
        assertThat(Files.readString(Path.of("/proc/mounts"))).doesNotContain(scratch.toString());
    }

    private static long random(int megabytes) {
        return (long) megabytes * MEGABYTE - 1;
    }

    private Sandbox prepared(String key) throws SandboxException {
        Sandbox sandbox = sandbox();
        byte[] text = "as it was\n".getBytes(StandardCharsets.UTF_8);
        byte[] tool = "#!/bin/sh\necho run\n".getBytes(StandardCharsets.UTF_8);
        byte[] marker = "below etc\n".getBytes(StandardCharsets.UTF_8);
        sandbox.putFiles(
                "/workspace",
                List.of(new SandboxFile("text", text, false), new SandboxFile("tool", tool, true)));
        sandbox.putFiles("/etc", List.of(new SandboxFile("marker", marker, false)));
        assertThat(sandbox.keepAs(key)).isTrue();
        return sandbox;
    }

    private Sandbox sandbox() throws SandboxException {
        return provider.create(spec());
    }

    private Sandbox from(String key) throws SandboxException {
        return provider.createFrom(key, spec()).orElseThrow();
    }

    private SandboxSpec spec() {
        return new SandboxSpec(
                "lease-" + created++, "test", "", "/workspace", Map.of(), SandboxLimits.SMALL);
    }

    private static String said(Sandbox sandbox, String command) throws SandboxException {
        ExecRequest request = new ExecRequest("e", command, "", Map.of(), 20_000, 4_000);
        return new String(sandbox.exec(request).output(), StandardCharsets.UTF_8);
    }

    private long bytesOnDisk() throws IOException {
        try (Stream<Path> files = Files.walk(scratch)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
