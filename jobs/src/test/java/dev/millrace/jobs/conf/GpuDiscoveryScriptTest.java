package dev.millrace.jobs.conf;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script that Flink's GPU driver calls, on machines whose nvidia-smi says what we want. */
class GpuDiscoveryScriptTest {
    private static final Path SCRIPT = Path.of("../flink-conf/gpu-discovery.sh").toAbsolutePath();
    private static final String MIXED =
            "0, NVIDIA H200\\n1, NVIDIA B300 SXM6 AC\\n2, NVIDIA B300 SXM6 AC\\n";

    @TempDir Path folder;

    private record Answer(int exitCode, String out, String err) {}

    @Test
    void printsIndexesOfTheModel() throws Exception {
        machine("printf '" + MIXED + "'");
        assertThat(call("1", "B300")).isEqualTo(new Answer(0, "1\n", ""));
        assertThat(call("2", "b300")).isEqualTo(new Answer(0, "1,2\n", ""));
        assertThat(call("1", "H200")).isEqualTo(new Answer(0, "0\n", ""));
        assertThat(call("3", "any")).isEqualTo(new Answer(0, "0,1,2\n", ""));
    }

    @Test
    void takesAnyModelWhenFlinkPassesNone() throws Exception {
        machine("printf '" + MIXED + "'");
        assertThat(call("1", "null").out()).isEqualTo("0\n");
        assertThat(call("1").out()).isEqualTo("0\n");
    }

    @Test
    void saysWhatIsThereWhenItFindsTooFew() throws Exception {
        machine("printf '" + MIXED + "'");
        assertThat(call("3", "B300"))
                .isEqualTo(
                        new Answer(
                                1,
                                "",
                                "gpu-discovery: 3 of model B300 wanted, 2 found; GPUs of this"
                                        + " machine: 0: NVIDIA H200; 1: NVIDIA B300 SXM6 AC; 2:"
                                        + " NVIDIA B300 SXM6 AC\n"));
        assertThat(call("1", "B30").exitCode()).as("a part of a word is not it").isEqualTo(1);
        machine("true");
        assertThat(call("1", "any").err()).endsWith("0 found; GPUs of this machine: none\n");
    }

    @Test
    void saysWhyNvidiaSmiCouldNotBeAsked() throws Exception {
        machine("echo 'could not communicate with the NVIDIA driver' >&2; exit 9");
        assertThat(call("1", "B300").err())
                .isEqualTo(
                        "gpu-discovery: nvidia-smi failed: could not communicate with the NVIDIA"
                                + " driver\n");
        Files.delete(folder.resolve("nvidia-smi"));
        assertThat(call("1", "B300").err()).contains("no nvidia-smi on this machine");
    }

    @Test
    void refusesArgumentsItDoesNotUnderstand() throws Exception {
        machine("printf '" + MIXED + "'");
        assertThat(call("0", "B300").err()).contains("whole number from 1, not \"0\"");
        assertThat(call("1", "B300 H200").err()).contains("one word like B300, H200 or any");
    }

    private void machine(String nvidiaSmi) throws Exception {
        Path fake = folder.resolve("nvidia-smi");
        Files.writeString(fake, "#!/bin/sh\n" + nvidiaSmi + "\n");
        Files.setPosixFilePermissions(fake, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Answer call(String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("bash", SCRIPT.toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command);
        // What the script needs of a machine, and no nvidia-smi but the fake one.
        Path tools = Files.createDirectories(folder.resolve("tools"));
        for (String tool : List.of("bash", "sh", "tr", "sed", "grep")) {
            Path link = tools.resolve(tool);
            if (!Files.exists(link)) {
                Files.createSymbolicLink(link, find(tool));
            }
        }
        builder.environment().put("PATH", folder + ":" + tools);
        Process process = builder.start();
        String out = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        String err = new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Answer(process.waitFor(), out, err);
    }

    private static Path find(String tool) {
        for (String place : System.getenv("PATH").split(":", -1)) {
            if (Files.isExecutable(Path.of(place, tool))) {
                return Path.of(place, tool);
            }
        }
        throw new IllegalStateException("no " + tool + " in PATH");
    }
}
