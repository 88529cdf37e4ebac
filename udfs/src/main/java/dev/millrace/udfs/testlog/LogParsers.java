package dev.millrace.udfs.testlog;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Parsers by the names that datasets give them. */
public final class LogParsers {
    private static final LogParser PYTEST = new PytestParser(false);
    private static final Map<String, LogParser> BY_NAME = byName();

    private LogParsers() {}

    private static Map<String, LogParser> byName() {
        Map<String, LogParser> parsers = new TreeMap<>();
        parsers.put("parse_log_pytest", PYTEST);
        parsers.put("parse_log_pytest_v2", PYTEST);
        parsers.put("parse_log_pytest_options", new PytestParser(true));
        parsers.put("parse_log_tox", PYTEST);
        parsers.put("parse_log_unittest", UnittestParser.parser());
        parsers.put("parse_log_django", UnittestParser.parser());
        parsers.put("parse_log_nose", UnittestParser.parser());
        parsers.put("parse_log_gotest", new GoTestParser());
        parsers.put("parse_log_cargo", CargoTestParser.parser());
        parsers.put("parse_log_jest", SpecParser.parser());
        parsers.put("parse_log_mocha", SpecParser.parser());
        parsers.put("parse_log_vitest", SpecParser.parser());
        parsers.put("parse_log_tap", new TapParser());
        parsers.put("parse_log_maven", MavenParser.parser());
        return parsers;
    }

    /** The parser of that name. */
    public static Optional<LogParser> named(String name) {
        return Optional.ofNullable(BY_NAME.get(name));
    }

    /** All names, sorted. */
    public static Set<String> names() {
        return Set.copyOf(BY_NAME.keySet());
    }
}
