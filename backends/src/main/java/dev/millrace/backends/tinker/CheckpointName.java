package dev.millrace.backends.tinker;

import dev.millrace.backends.tinker.TinkerException.Kind;

/** Names of checkpoints as every server takes them: letters, digits, underscore and hyphen. */
final class CheckpointName {
    private static final int MOST = 255;

    private CheckpointName() {}

    /**
     * Other characters are written as an underscore and four hexadecimal digits, an underscore as
     * two: different names stay different.
     *
     * @throws TinkerException when it gets too long
     */
    static String of(String name) {
        StringBuilder escaped = new StringBuilder();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '-');
            if (plain) {
                escaped.append(c);
            } else if (c == '_') {
                escaped.append("__");
            } else {
                escaped.append(String.format("_%04x", (int) c));
            }
        }
        if (escaped.length() == 0 || escaped.length() > MOST) {
            throw new TinkerException(
                    Kind.INVALID, "A checkpoint's name has 1 to 255 characters: " + name);
        }
        return escaped.toString();
    }
}
