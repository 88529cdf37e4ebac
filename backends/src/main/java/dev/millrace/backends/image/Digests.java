package dev.millrace.backends.image;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** Content that must be what its name says. */
final class Digests {
    private static final Pattern SHA_256 = Pattern.compile("sha256:[0-9a-f]{64}");

    private Digests() {}

    /**
     * Path of a blob below an image layout.
     *
     * @throws ImageException for a digest of another kind
     */
    static String path(String digest) throws ImageException {
        if (!SHA_256.matcher(digest).matches()) {
            throw new ImageException("'" + digest + "' is no SHA-256 digest");
        }
        return "blobs/sha256/" + digest.substring("sha256:".length());
    }

    /** The digest of some bytes. */
    static String of(byte[] content) {
        return "sha256:" + HexFormat.of().formatHex(sha256().digest(content));
    }

    /** A stream whose end is an error when what came was something else. */
    static InputStream verified(InputStream content, String digest) {
        MessageDigest sha = sha256();
        return new FilterInputStream(new DigestInputStream(content, sha)) {
            private boolean ended;

            @Override
            public int read() throws IOException {
                int value = super.read();
                check(value);
                return value;
            }

            @Override
            public int read(byte[] bytes, int offset, int length) throws IOException {
                int count = super.read(bytes, offset, length);
                check(count);
                return count;
            }

            @Override
            public boolean markSupported() {
                return false;
            }

            private void check(int read) throws IOException {
                if (read >= 0 || ended) {
                    return;
                }
                ended = true;
                String found = "sha256:" + HexFormat.of().formatHex(sha.digest());
                if (!found.equals(digest)) {
                    throw new ImageException("content of " + digest + " is damaged");
                }
            }
        };
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Java without SHA-256", e);
        }
    }
}
