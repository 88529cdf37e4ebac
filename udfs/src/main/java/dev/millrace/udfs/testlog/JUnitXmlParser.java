package dev.millrace.udfs.testlog;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.xml.stream.XMLInputFactory;
import javax.xml.stream.XMLStreamConstants;
import javax.xml.stream.XMLStreamException;
import javax.xml.stream.XMLStreamReader;

/**
 * Reports in JUnit's XML, any number of them among other output. A test is known by its class and
 * its name, joined in each of the ways that datasets join them. A report that breaks off counts as
 * far as it goes.
 */
final class JUnitXmlParser implements LogParser {
    private static final Pattern REPORT =
            Pattern.compile("^<(?:\\?xml |testsuites?\\b)", Pattern.MULTILINE);

    /** A log with more was made to keep its reader busy. */
    private static final int MOST_BROKEN = 1000;

    private final TestLog.Builder found = new TestLog.Builder();
    private final XMLInputFactory factory = XMLInputFactory.newDefaultFactory();
    private String testClass = "";
    private String test = "";
    private TestStatus status;
    private int broken;

    private JUnitXmlParser() {
        factory.setProperty(XMLInputFactory.SUPPORT_DTD, false);
        factory.setProperty(XMLInputFactory.IS_SUPPORTING_EXTERNAL_ENTITIES, false);
    }

    static LogParser parser() {
        return log -> new JUnitXmlParser().parse(log);
    }

    @Override
    public TestLog parse(String log) {
        String text = String.join("\n", LogLines.of(log));
        Matcher report = REPORT.matcher(text);
        int at = 0;
        // Offsets of a report that breaks off may lie behind its end.
        while (at <= text.length() && broken < MOST_BROKEN && report.find(at)) {
            at = report.start() + report(text, report.start());
        }
        return found.build();
    }

    /** Reads one report; how many characters of it, at least one. */
    private int report(String text, int start) {
        int read = 1;
        try {
            XMLStreamReader reader = factory.createXMLStreamReader(from(text, start));
            int depth = 0;
            while (reader.hasNext()) {
                int event = reader.next();
                read = Math.max(read, reader.getLocation().getCharacterOffset());
                if (event == XMLStreamConstants.START_ELEMENT) {
                    depth++;
                    begin(reader);
                } else if (event == XMLStreamConstants.END_ELEMENT) {
                    end(reader.getLocalName());
                    if (--depth == 0) {
                        found.completed(true);
                        return read;
                    }
                }
            }
        } catch (XMLStreamException e) {
            // It breaks off here, and with it the test that it was about.
            found.completed(false);
            status = null;
            broken++;
        }
        return read;
    }

    private static StringReader from(String text, int start) {
        StringReader reader = new StringReader(text);
        try {
            reader.skip(start);
        } catch (IOException e) {
            throw new UncheckedIOException("texts can always be read", e);
        }
        return reader;
    }

    private void begin(XMLStreamReader reader) {
        switch (reader.getLocalName()) {
            case "testsuite" -> found.ran();
            case "testcase" -> {
                testClass = text(reader, "classname");
                test = text(reader, "name");
                status = TestStatus.PASSED;
            }
            case "failure" -> worsen(TestStatus.FAILED);
            case "error" -> worsen(TestStatus.ERROR);
            case "skipped" -> worsen(TestStatus.SKIPPED);
            default -> {
                // What was printed, and properties.
            }
        }
    }

    private void worsen(TestStatus other) {
        if (status != null) {
            status = TestStatus.worse(status, other);
        }
    }

    private void end(String element) {
        if (!element.equals("testcase") || status == null) {
            return;
        }
        names().forEach(name -> found.add(name, status));
        status = null;
    }

    private List<String> names() {
        if (testClass.isEmpty() || test.isEmpty()) {
            return List.of(testClass + test);
        }
        return List.of(
                testClass + " " + test,
                testClass + "." + test,
                testClass + "::" + test,
                test + " (" + testClass + ")");
    }

    private static String text(XMLStreamReader reader, String attribute) {
        String value = reader.getAttributeValue(null, attribute);
        return value == null ? "" : value.strip();
    }
}
