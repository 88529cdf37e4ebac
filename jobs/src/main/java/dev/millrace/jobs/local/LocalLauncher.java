package dev.millrace.jobs.local;

import dev.millrace.backends.bubblewrap.BubblewrapSettings;
import dev.millrace.backends.bubblewrap.Reaper;
import dev.millrace.backends.harbor.HarborTaskException;
import dev.millrace.backends.harbor.HarborTaskLoader;
import dev.millrace.backends.port.SandboxException;
import dev.millrace.backends.port.SandboxProvider;
import dev.millrace.jobs.cli.BadInputException;
import dev.millrace.jobs.cli.ExitCode;
import dev.millrace.jobs.cli.RunLauncher;
import dev.millrace.jobs.cli.RunRequest;
import dev.millrace.jobs.launch.FolderRemoval;
import dev.millrace.pipeline.adapters.SandboxProviders;
import dev.millrace.pipeline.settings.Recipe;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs everything in this process: broker, cluster, policy; sandboxes are its child processes. */
public final class LocalLauncher implements RunLauncher {
    private static final Logger LOG = LoggerFactory.getLogger(LocalLauncher.class);

    @Override
    public Optional<String> sandboxRefusal(Recipe recipe) {
        Path scratch = scratch("probe");
        try (SandboxProvider provider = SandboxProviders.open(recipe.sandbox(), scratch)) {
            provider.probe();
            return Optional.empty();
        } catch (SandboxException e) {
            return Optional.of(e.getMessage());
        } finally {
            FolderRemoval.remove(scratch);
        }
    }

    @Override
    public int validate(Path tasks, Recipe recipe, PrintStream out) {
        Path scratch = scratch("validate");
        HarborTaskLoader loader =
                new HarborTaskLoader(recipe.tasks().hostVariables())
                        .on(recipe.sandbox().imageMapping());
        try (SandboxProvider provider =
                SandboxProviders.open(recipe.sandbox(), scratch, BubblewrapSettings.Shell.BASH)) {
            provider.probe();
            return new TaskValidation(provider, out).validate(tasks, loader);
        } catch (SandboxException e) {
            throw new BadInputException(e.getMessage());
        } finally {
            FolderRemoval.remove(scratch);
        }
    }

    @Override
    public int reap(Optional<String> owner, PrintStream out) {
        Reaper.Report report = Reaper.run(owner);
        report.removed().forEach(line -> out.println("removed " + line));
        out.printf(
                Locale.ROOT,
                "%d sandbox providers of the past cleared up, %d things removed; %d living left"
                        + " alone%n",
                report.past(),
                report.removed().size(),
                report.living());
        return ExitCode.OK;
    }

    @Override
    public int run(RunRequest request) {
        try (LocalRun run = new LocalRun(request)) {
            return run.toTheEnd();
        } catch (HarborTaskException | BadInputException e) {
            request.out().println(e.getMessage());
            return ExitCode.BAD_INPUT;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return ExitCode.INTERRUPTED;
        } catch (IOException | SandboxException | RuntimeException e) {
            LOG.error("The run failed", e);
            request.out()
                    .println(
                            "The run failed: "
                                    + e.getMessage()
                                    + "\nSee "
                                    + request.output().resolve("millrace.log"));
            return ExitCode.FAILED;
        }
    }

    private static Path scratch(String use) {
        return Path.of(
                System.getProperty("java.io.tmpdir"),
                "millrace-" + use + "-" + ProcessHandle.current().pid());
    }
}
