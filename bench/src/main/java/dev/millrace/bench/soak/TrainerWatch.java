package dev.millrace.bench.soak;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Follows the trainer's log: which updates were made, and when. */
final class TrainerWatch {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern EFFECT = Pattern.compile("/s(\\d+)/m(\\d+)/");
    private static final long MINIBATCHES = 1000;

    /**
     * An update.
     *
     * @param at milliseconds since 1970
     * @param position of its minibatch in the run; grows with step and minibatch
     */
    record Update(long at, long position) {
        long step() {
            return position / MINIBATCHES;
        }
    }

    private final Path log;
    private final List<Update> updates = new ArrayList<>();
    private long read;

    TrainerWatch(Path log) {
        this.log = log;
    }

    /** All updates so far, in order. */
    List<Update> updates() {
        try {
            refresh();
        } catch (IOException e) {
            throw new UncheckedIOException("The trainer's log can't be read", e);
        }
        return updates;
    }

    /** Where the trainer is; -1 before its first update. */
    long position() {
        List<Update> all = updates();
        return all.isEmpty() ? -1 : all.get(all.size() - 1).position();
    }

    /** The step that the trainer is in. */
    long step() {
        return Math.max(0, position()) / MINIBATCHES;
    }

    /** When the last update was made, for messages. */
    String lastUpdate() {
        List<Update> all = updates();
        return all.isEmpty()
                ? "never"
                : Instant.ofEpochMilli(all.get(all.size() - 1).at()).toString();
    }

    /** The largest position there was until then; -1 before the first update. */
    long furthest(long until) {
        return updates().stream()
                .filter(update -> update.at() <= until)
                .mapToLong(Update::position)
                .max()
                .orElse(-1);
    }

    /** When the first update after that time went beyond that position. */
    OptionalLong firstBeyond(long position, long after) {
        return updates().stream()
                .filter(update -> update.at() >= after && update.position() > position)
                .mapToLong(Update::at)
                .findFirst();
    }

    private void refresh() throws IOException {
        if (!Files.exists(log)) {
            return;
        }
        try (FileChannel file = FileChannel.open(log)) {
            ByteBuffer added = ByteBuffer.allocate((int) (file.size() - read));
            file.position(read);
            while (added.hasRemaining() && file.read(added) >= 0) {
                // Reads on.
            }
            String text = new String(added.array(), 0, added.position(), StandardCharsets.UTF_8);
            int whole = text.lastIndexOf('\n') + 1;
            read += text.substring(0, whole).getBytes(StandardCharsets.UTF_8).length;
            for (String line : text.substring(0, whole).lines().toList()) {
                add(JSON.readTree(line));
            }
        }
    }

    private void add(JsonNode line) {
        Matcher effect = EFFECT.matcher(line.path("effect").asText());
        if (line.path("op").asText().equals("optim_step") && effect.find()) {
            long position =
                    Long.parseLong(effect.group(1)) * MINIBATCHES + Long.parseLong(effect.group(2));
            updates.add(new Update(line.path("at").asLong(), position));
        }
    }
}
