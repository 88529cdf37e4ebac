package dev.millrace.jobs.export;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * When an attempt did what, from the journal: an effect ends when its line is written and began as
 * long before as it took. Only the last try counts, as it does for the trajectory.
 */
final class AttemptTimes {
    private static final Set<String> PLAYING = Set.of("SAMPLED", "EXECUTED", "CAPTURED");

    private final List<JournalEntry> entries;
    private final String lastTry;

    AttemptTimes(PlayedAttempt played) {
        this.entries = played.journal();
        this.lastTry = "#" + played.attempt().tries();
    }

    /** From its admission to its last line. */
    Optional<Timing> whole() {
        return span(entries);
    }

    /** While its sandbox was made ready. */
    Optional<Timing> environment() {
        return span(ofLastTry(entry -> entry.kind().equals("BOOTED")));
    }

    /** From the first call of the policy to the end of its last command. */
    Optional<Timing> agent() {
        return span(ofLastTry(entry -> PLAYING.contains(entry.kind())));
    }

    /** While it was graded. */
    Optional<Timing> verifier() {
        return span(
                entries.stream()
                        .filter(e -> e.stage().equals("grading") && !e.kind().equals("ADMITTED"))
                        .toList());
    }

    /** When each turn was sampled; empty when the journal doesn't have all of them. */
    List<Instant> turns(int turns) {
        List<Instant> sampled =
                ofLastTry(entry -> entry.kind().equals("SAMPLED")).stream()
                        .flatMap(entry -> entry.finished().stream())
                        .toList();
        return sampled.size() == turns ? sampled : List.of();
    }

    private List<JournalEntry> ofLastTry(Predicate<JournalEntry> wanted) {
        return entries.stream()
                .filter(entry -> entry.stage().equals("rollout"))
                .filter(entry -> isOfLastTry(entry.effectId()))
                .filter(wanted)
                .toList();
    }

    private boolean isOfLastTry(String effectId) {
        return effectId.endsWith(lastTry) || effectId.contains(lastTry + ".");
    }

    private static Optional<Timing> span(List<JournalEntry> entries) {
        Optional<Instant> first =
                entries.stream().flatMap(e -> e.started().stream()).min(Instant::compareTo);
        Optional<Instant> last =
                entries.stream().flatMap(e -> e.finished().stream()).max(Instant::compareTo);
        return first.flatMap(from -> last.map(to -> Timing.of(from, to)));
    }
}
