package dev.millrace.udfs.testlog;

import java.util.List;
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
        parsers.put("parse_log_pytest_nebo", PYTEST);
        parsers.put("parse_log_tox", PYTEST);
        parsers.put("parse_log_unittest", UnittestParser.parser());
        parsers.put("parse_log_django", UnittestParser.parser());
        parsers.put("parse_log_nose", UnittestParser.parser());
        parsers.put("parse_log_sympy", SympyParser.parser());
        parsers.put("parse_log_gotest", new GoTestParser());
        parsers.put("parse_log_cargo", CargoTestParser.parser());
        for (String name : List.of("jest", "mocha", "vitest", "js", "js_2", "js_4", "npx")) {
            parsers.put("parse_log_" + name, SpecParser.parser());
        }
        parsers.put("parse_log_tap", new TapParser());
        for (String name : List.of("log_maven", "java_mvn", "log_java_mvn", "log_kotlin_junit")) {
            parsers.put("parse_" + name, MavenParser.parser());
        }
        parsers.put("parse_log_gradle", new GradleParser());
        parsers.put("parse_log_gradle_custom", new GradleParser());
        for (String name : List.of("log_junit", "log_gradlew_v1", "combined_test_reports")) {
            parsers.put("parse_" + name, JUnitXmlParser.parser());
        }
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
