package dev.millrace.pipeline.adapters;

import dev.millrace.backends.render.MiniSweRenderer;
import dev.millrace.backends.render.MiniSweSpec;
import dev.millrace.backends.render.MiniSweSpec.Texts;
import dev.millrace.pipeline.settings.AgentSettings;
import dev.millrace.udfs.agent.TemplateException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** How the agents of a recipe work. Template files are read where a run is submitted. */
public final class AgentFormats {
    private static final int KIB = 1024;

    private AgentFormats() {}

    /** Why a recipe's agents can't work; names the setting. */
    public static Optional<String> refusal(AgentSettings settings) {
        try {
            MiniSweSpec spec = miniSwe(settings);
            if (spec != null) {
                MiniSweRenderer.check(spec);
            }
            return Optional.empty();
        } catch (IOException e) {
            return Optional.of(e.getMessage());
        } catch (TemplateException e) {
            return Optional.of("agent: " + e.getMessage());
        }
    }

    /**
     * How agents of mini-swe-agent's kind work, or null when the recipe's are not of it.
     *
     * @throws IOException when a template can't be read; the message names its setting
     */
    static MiniSweSpec miniSwe(AgentSettings settings) throws IOException {
        if (settings.format() != AgentSettings.Format.MINI_SWE_AGENT) {
            return null;
        }
        boolean fenced = settings.actions() == AgentSettings.Actions.FENCED;
        Texts own = Texts.own(fenced);
        return new MiniSweSpec(
                fenced,
                settings.fence(),
                settings.malformedTurns() == AgentSettings.MalformedTurns.KEEP,
                settings.variables(),
                settings.submissionKb() * KIB,
                new Texts(
                        text("systemTemplate", settings.systemTemplate(), own.system()),
                        text("instanceTemplate", settings.instanceTemplate(), own.instance()),
                        text(
                                "observationTemplate",
                                settings.observationTemplate(),
                                own.observation()),
                        text(
                                "formatErrorTemplate",
                                settings.formatErrorTemplate(),
                                own.malformed())));
    }

    private static String text(String key, String file, String own) throws IOException {
        if (file.isEmpty()) {
            return own;
        }
        try {
            return Files.readString(Path.of(file));
        } catch (IOException e) {
            throw new IOException("agent." + key + ": " + file + " can't be read", e);
        }
    }
}
