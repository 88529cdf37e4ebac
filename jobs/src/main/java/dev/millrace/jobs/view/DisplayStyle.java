package dev.millrace.jobs.view;

import java.util.Locale;
import java.util.Map;

/**
 * How a run may be drawn.
 *
 * @param inPlace whether the block is redrawn where it stands; else one line now and then
 * @param colour whether ANSI colours are welcome
 * @param unicode whether blocks and arrows can be shown
 */
public record DisplayStyle(boolean inPlace, boolean colour, boolean unicode) {

    /**
     * What the terminal can do.
     *
     * @param terminal whether standard output is a terminal
     * @param environment of the process: NO_COLOR, TERM, CI and the locale count
     */
    public static DisplayStyle detect(boolean terminal, Map<String, String> environment) {
        boolean dumb = environment.getOrDefault("TERM", "dumb").equals("dumb");
        boolean inPlace = terminal && !dumb && !environment.containsKey("CI");
        boolean colour = inPlace && environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new DisplayStyle(inPlace, colour, unicode(environment));
    }

    private static boolean unicode(Map<String, String> environment) {
        for (String name : new String[] {"LC_ALL", "LC_CTYPE", "LANG"}) {
            String locale = environment.getOrDefault(name, "");
            if (!locale.isEmpty()) {
                return locale.toUpperCase(Locale.ROOT).replace("-", "").contains("UTF8");
            }
        }
        return false;
    }
}
