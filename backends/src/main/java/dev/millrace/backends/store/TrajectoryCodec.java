package dev.millrace.backends.store;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.millrace.udfs.model.Trajectory;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/** Trajectories as they lie in a store: JSON, gzipped. The same trajectory gives the same bytes. */
public final class TrajectoryCodec {
    /** End of their names. */
    public static final String SUFFIX = ".trajectory.json.gz";

    /** More than any context holds; a larger one is not read into memory. */
    private static final long LARGEST_JSON = 1L << 30;

    private static final ObjectMapper JSON =
            JsonMapper.builder().disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES).build();

    private TrajectoryCodec() {}

    /** The bytes of a trajectory. */
    public static byte[] encode(Trajectory trajectory) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (OutputStream zipped = new GZIPOutputStream(bytes)) {
            JSON.writeValue(zipped, trajectory);
        } catch (IOException e) {
            throw new UncheckedIOException("Can't encode a trajectory in memory", e);
        }
        return bytes.toByteArray();
    }

    /**
     * The trajectory in some bytes.
     *
     * @throws IOException when they hold none, or one without tokens, mask or log-probabilities
     */
    public static Trajectory decode(byte[] bytes) throws IOException {
        Trajectory trajectory;
        try (InputStream plain = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            trajectory = JSON.readValue(new LimitedInput(plain, LARGEST_JSON), Trajectory.class);
        }
        boolean whole =
                trajectory != null
                        && trajectory.tokens() != null
                        && trajectory.mask() != null
                        && trajectory.logprobs() != null;
        if (!whole) {
            throw new IOException("A trajectory without tokens, mask or log-probabilities");
        }
        return trajectory;
    }
}
