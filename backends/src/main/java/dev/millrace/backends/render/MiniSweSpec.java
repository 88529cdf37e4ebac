package dev.millrace.backends.render;

import java.io.IOException;
import java.io.InputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * How an agent of mini-swe-agent's kind works.
 *
 * @param fenced whether actions stand in blocks of text; otherwise they are calls of the tool bash
 * @param fence name of these blocks
 * @param keepMalformed whether a turn that can't be parsed stays in the conversation
 * @param environment of its commands
 * @param mostSubmissionBytes most that can be handed in
 * @param texts the templates
 */
public record MiniSweSpec(
        boolean fenced,
        String fence,
        boolean keepMalformed,
        LinkedHashMap<String, String> environment,
        int mostSubmissionBytes,
        Texts texts)
        implements Serializable {

    /**
     * Templates, as text.
     *
     * @param system what the model is told before anything else
     * @param instance what it is told of its task
     * @param observation what it is told of a command
     * @param malformed what it is told of a turn that can't be parsed
     */
    public record Texts(String system, String instance, String observation, String malformed)
            implements Serializable {

        /** The project's own. */
        public static Texts own(boolean fenced) {
            String kind = fenced ? "-fenced" : "-tool";
            return new Texts(
                    read("system" + kind),
                    read("instance" + kind),
                    read("observation"),
                    read("malformed" + kind));
        }

        private static String read(String name) {
            String file = "mini-swe-agent/" + name + ".txt";
            try (InputStream in = Texts.class.getResourceAsStream(file)) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** With the project's templates, no variables, and malformed turns taken out. */
    public static MiniSweSpec own(boolean fenced) {
        return new MiniSweSpec(
                fenced,
                "mswea_bash_command",
                false,
                new LinkedHashMap<>(Map.of("PAGER", "cat")),
                1 << 20,
                Texts.own(fenced));
    }
}
