package dev.millrace.backends.embedded;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Answers the few commands that the example tasks need, as dash and the GNU tools would. */
public final class SimulatedShell {
    private static final Pattern SUBSTITUTE =
            Pattern.compile("sed -i 's\\|([^|\\\\*.\\[]*)\\|([^|\\\\&]*)\\|' (\\S.*)");

    private final SortedMap<String, String> files;

    public SimulatedShell(SortedMap<String, String> files) {
        this.files = new TreeMap<>(files);
    }

    /** The files as they are now. */
    public SortedMap<String, String> files() {
        return files;
    }

    /** Runs a command and returns what it prints. */
    public String run(String command) {
        String said = command.strip();
        Matcher substitute = SUBSTITUTE.matcher(said);
        if (said.equals("ls")) {
            return String.join("\n", files.keySet()) + "\n";
        }
        if (said.startsWith("cat ")) {
            return cat(said.substring(4));
        }
        if (substitute.matches()) {
            return substitute(
                    substitute.group(1), substitute.group(2), expand(substitute.group(3)));
        }
        if (said.startsWith("mv ")) {
            return move(expand(said.substring(3)));
        }
        return "sh: 1: " + said.split(" ", 2)[0] + ": not found\n";
    }

    private String cat(String names) {
        StringBuilder out = new StringBuilder();
        for (String name : expand(names)) {
            String content = files.get(name);
            out.append(
                    content != null ? content : "cat: " + name + ": No such file or directory\n");
        }
        return out.toString();
    }

    private String substitute(String wrong, String right, List<String> names) {
        StringBuilder out = new StringBuilder();
        if (wrong.isEmpty()) {
            return "sed: -e expression #1, char 0: no previous regular expression\n";
        }
        for (String name : names) {
            String content = files.get(name);
            if (content == null) {
                out.append("sed: can't read " + name + ": No such file or directory\n");
                continue;
            }
            StringBuilder changed = new StringBuilder();
            for (String line : content.split("(?<=\n)", -1)) {
                int at = line.indexOf(wrong);
                changed.append(
                        at < 0
                                ? line
                                : line.substring(0, at)
                                        + right
                                        + line.substring(at + wrong.length()));
            }
            files.put(name, changed.toString());
        }
        return out.toString();
    }

    private String move(List<String> names) {
        if (names.size() != 2) {
            return "mv: missing file operand\n";
        }
        String content = files.remove(names.get(0));
        if (content == null) {
            return "mv: cannot stat '" + names.get(0) + "': No such file or directory\n";
        }
        files.put(names.get(1), content);
        return "";
    }

    private List<String> expand(String words) {
        List<String> all = new ArrayList<>();
        for (String word : words.strip().split(" +", -1)) {
            if (word.equals("*")) {
                all.addAll(files.keySet());
            } else if (word.equals("*.py")) {
                files.keySet().stream().filter(f -> f.endsWith(".py")).forEach(all::add);
            } else {
                all.add(word);
            }
        }
        return all;
    }
}
