package dev.millrace.backends.bubblewrap;

import dev.millrace.backends.image.TreePaths;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A user of an image.
 *
 * @param uid number of the user
 * @param gid number of the user's group
 * @param home folder
 */
record Account(int uid, int gid, String home) {
    private static final String FILE = "etc/passwd";
    private static final int LONGEST = 1 << 20;
    private static final int FIELDS = 7;
    private static final int MOST_DIGITS = 9;

    /** Who has all rights. */
    static final Account ROOT = new Account(0, 0, "/root");

    /**
     * Finds a user.
     *
     * @param user name or number, maybe with a group behind a colon; empty for root
     * @param passwd text of the image's user database
     * @return empty for a name that is not in it
     */
    static Optional<Account> find(String user, String passwd) {
        String name = user.split(":", 2)[0];
        if (name.isEmpty()) {
            return Optional.of(ROOT);
        }
        boolean number = isNumber(name);
        for (String line : passwd.lines().toList()) {
            String[] fields = line.split(":", -1);
            boolean sound = fields.length == FIELDS && isNumber(fields[2]) && isNumber(fields[3]);
            if (sound && name.equals(fields[number ? 2 : 0])) {
                int uid = Integer.parseInt(fields[2]);
                return Optional.of(new Account(uid, Integer.parseInt(fields[3]), fields[5]));
            }
        }
        return number
                ? Optional.of(new Account(Integer.parseInt(name), Integer.parseInt(name), "/"))
                : Optional.empty();
    }

    private static boolean isNumber(String text) {
        return !text.isEmpty()
                && text.length() <= MOST_DIGITS
                && text.chars().allMatch(c -> c >= '0' && c <= '9');
    }

    /** Text of the user database of a tree in several folders, the uppermost first. */
    static String database(List<Path> folders) {
        return folders.stream().map(Account::text).flatMap(Optional::stream).findFirst().orElse("");
    }

    private static Optional<String> text(Path folder) {
        try {
            Path file = TreePaths.follow(folder, FILE);
            return Files.isRegularFile(file) && Files.size(file) < LONGEST
                    ? Optional.of(Files.readString(file, StandardCharsets.ISO_8859_1))
                    : Optional.empty();
        } catch (IOException absent) {
            return Optional.empty();
        }
    }
}
