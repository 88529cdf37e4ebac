package dev.millrace.jobs.cli;

import dev.millrace.backends.image.ImageException;
import dev.millrace.backends.image.RegistryAccess;
import dev.millrace.backends.image.RegistryPull;
import dev.millrace.backends.image.RegistryReference;
import dev.millrace.backends.port.SandboxException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Fetches an image for {@code sandbox.images}. */
@Command(
        name = "pull-image",
        mixinStandardHelpOptions = true,
        description = {
            "Fetches an image of a registry, without a daemon, into a folder that sandbox.images"
                    + " can name.",
            "What is in the folder already isn't fetched again."
        })
final class PullImageCommand implements Callable<Integer> {
    private static final int TRIES = 5;
    private static final long USUAL_PAUSE_MILLIS = 10_000;

    private final Console console;

    @Parameters(index = "0", paramLabel = "IMAGE", description = "HOST[:PORT]/NAME[:TAG][@DIGEST].")
    private String image;

    @Parameters(index = "1", paramLabel = "FOLDER", description = "Where it is put.")
    private Path folder;

    @Option(names = "--plain-http", description = "Speak to the registry without encryption.")
    private boolean plain;

    @Option(
            names = "--credentials",
            paramLabel = "VARIABLE",
            description = "Variable of this process that holds USER:PASSWORD.")
    private String credentials;

    @Option(
            names = "--most-mb",
            paramLabel = "N",
            defaultValue = "16384",
            description = "Most that its layers may have as they are sent, MiB.")
    private long mostMb;

    PullImageCommand(Console console) {
        this.console = console;
    }

    @Override
    public Integer call() throws InterruptedException {
        RegistryReference reference;
        try {
            reference = RegistryReference.parse(image);
        } catch (ImageException e) {
            throw new BadInputException(e.getMessage());
        }
        RegistryPull pull = new RegistryPull(reference, access(), mostMb << 20);
        for (int left = TRIES - 1; ; left--) {
            try {
                console.out().println(reference + " " + pull.into(folder));
                return ExitCode.OK;
            } catch (SandboxException e) {
                if (left == 0 || !isTransient(e.kind())) {
                    throw new BadInputException(e.getMessage());
                }
                long asked = e.retryAfterMillis();
                long pause = asked == 0 ? USUAL_PAUSE_MILLIS : asked;
                console.out().println(e.getMessage() + "; next try in " + pause + " ms");
                Thread.sleep(pause);
            }
        }
    }

    private static boolean isTransient(SandboxException.Kind kind) {
        return kind == SandboxException.Kind.RATE_LIMITED
                || kind == SandboxException.Kind.UNREACHABLE;
    }

    private RegistryAccess access() {
        if (credentials == null) {
            return new RegistryAccess(plain, Optional.empty());
        }
        String pair = System.getenv(credentials);
        if (pair == null || pair.indexOf(':') < 0) {
            throw new BadInputException("variable " + credentials + " holds no USER:PASSWORD");
        }
        return new RegistryAccess(plain, Optional.of(pair));
    }
}
