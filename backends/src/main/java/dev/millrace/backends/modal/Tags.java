package dev.millrace.backends.modal;

import dev.millrace.backends.modal.wire.SandboxTag;
import dev.millrace.backends.port.Lease;
import dev.millrace.backends.sandbox.Labels;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * Labels as tags. Which characters the server takes in them is not said anywhere: all but letters,
 * digits, dots and dashes are written as an underscore and two hexadecimal digits.
 */
final class Tags {
    /** The run that a sandbox was made for, so that all of one are found together. */
    static final String RUN = "millrace-run";

    private Tags() {}

    static List<SandboxTag> of(Lease lease, String process) {
        Map<String, String> labels = new TreeMap<>(Labels.of(lease, process));
        labels.put(RUN, run(lease.owner()));
        return labels.entrySet().stream().map(e -> tag(e.getKey(), e.getValue())).toList();
    }

    /** The first part of an owner. */
    static String run(String owner) {
        int slash = owner.indexOf('/');
        return slash < 0 ? owner : owner.substring(0, slash);
    }

    static SandboxTag tag(String label, String value) {
        return SandboxTag.newBuilder().setTagName(name(label)).setTagValue(encoded(value)).build();
    }

    private static String name(String label) {
        return label.replace("dev.millrace.", "millrace-");
    }

    static Map<String, String> labels(List<SandboxTag> tags) {
        Map<String, String> labels = new HashMap<>();
        for (SandboxTag tag : tags) {
            String name = tag.getTagName();
            labels.put(
                    name.equals(RUN) ? name : name.replace("millrace-", "dev.millrace."),
                    decoded(tag.getTagValue()));
        }
        return labels;
    }

    private static String encoded(String text) {
        StringBuilder out = new StringBuilder();
        for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (b & 0xff);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '.' || c == '-');
            out.append(plain ? Character.toString(c) : String.format(Locale.ROOT, "_%02x", b));
        }
        return out.toString();
    }

    private static String decoded(String text) {
        byte[] bytes = new byte[text.length()];
        int length = 0;
        for (int i = 0; i < text.length(); i++) {
            int value = text.charAt(i);
            if (value == '_' && text.substring(i).matches("(?s)_[0-9a-f]{2}.*")) {
                value = Integer.parseInt(text.substring(i + 1, i + 3), 16);
                i += 2;
            }
            bytes[length++] = (byte) value;
        }
        return new String(bytes, 0, length, StandardCharsets.UTF_8);
    }
}
