package dev.millrace.jobs.dataset;

import dev.millrace.backends.harbor.HarborTask;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.backends.repair.RepairSpec;
import dev.millrace.backends.repair.RepairVerdict;
import dev.millrace.backends.repair.RepairVerifier;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.pipeline.settings.SandboxSettings;
import dev.millrace.pipeline.settings.SettingsException;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Grades one diff. */
@Command(
        name = "grade",
        mixinStandardHelpOptions = true,
        description = "Grades a diff as a repair of one task and says which tests did not pass.")
final class GradeCommand implements Callable<Integer> {
    private static final String OWNER = "dataset-grade";

    private final PrintStream out;

    @Option(names = "--task", required = true, paramLabel = "DIR", description = "Task's folder.")
    private Path folder;

    @Option(names = "--patch", required = true, paramLabel = "FILE", description = "The diff.")
    private Path patch;

    @Mixin private SandboxOptions sandboxOptions;

    GradeCommand(PrintStream out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, SettingsException {
        if (!Files.isRegularFile(patch)) {
            throw new BadInputException("--patch " + patch + " is no file");
        }
        SandboxSettings sandboxes = sandboxOptions.read();
        Path scratch =
                Path.of(
                        System.getProperty("java.io.tmpdir"),
                        "millrace-grade-" + ProcessHandle.current().pid());
        try (SandboxProvider provider = SandboxOptions.open(sandboxes, scratch)) {
            provider.probe();
            HarborTask task = SandboxOptions.loader(sandboxes).load(folder);
            if (!RepairSpec.concerns(task)) {
                throw new BadInputException(folder + " has no tests/config.json and test.patch");
            }
            RepairVerdict verdict =
                    new RepairVerifier(provider)
                            .gradePatch(
                                    task,
                                    Files.readAllBytes(patch),
                                    Lease.of(OWNER + "/" + task.name(), OWNER));
            print(verdict);
            return verdict.verdict().graded() ? ExitCode.OK : ExitCode.FAILED;
        } catch (HarborTaskException | SandboxException e) {
            throw new BadInputException(e.getMessage());
        } finally {
            FolderRemoval.remove(scratch);
        }
    }

    private void print(RepairVerdict verdict) {
        out.printf(
                Locale.ROOT,
                "reward %s %s %s, %d ms%n",
                verdict.verdict().graded() ? verdict.verdict().reward() : "none:",
                verdict.verdict().cause(),
                verdict.verdict().flags(),
                verdict.verdict().wallMillis());
        print("not repaired", verdict.notRepaired());
        print("broken", verdict.broken());
    }

    private void print(String what, List<String> tests) {
        tests.forEach(test -> out.println("  " + what + ": " + test));
    }
}
