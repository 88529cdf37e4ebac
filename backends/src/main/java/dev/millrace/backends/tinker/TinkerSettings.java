package dev.millrace.backends.tinker;

import java.io.Serializable;
import java.util.List;

/**
 * A server and what is asked of it. Holds no secret: the key is read from the environment by each
 * process that calls.
 *
 * @param baseUrl address; the calls' paths are appended
 * @param baseModel name of the model, as the server lists it
 * @param rank of the adapter that is trained
 * @param seed of the adapter's initial weights
 * @param contextTokens most tokens of a sequence
 * @param vocabulary number of token ids; 0 when it is not known
 * @param stopTokens ids that end a turn
 * @param traits how this server differs from others
 * @param times how long it is given
 */
public record TinkerSettings(
        String baseUrl,
        String baseModel,
        int rank,
        long seed,
        int contextTokens,
        int vocabulary,
        List<Integer> stopTokens,
        ServerTraits traits,
        TinkerTimes times)
        implements Serializable {

    /** The same server, with what is now known of it. */
    public TinkerSettings with(ServerTraits known) {
        return with(known, times);
    }

    /** The same server, given other times. */
    TinkerSettings with(TinkerTimes other) {
        return with(traits, other);
    }

    private TinkerSettings with(ServerTraits known, TinkerTimes given) {
        return new TinkerSettings(
                baseUrl,
                baseModel,
                rank,
                seed,
                contextTokens,
                vocabulary,
                stopTokens,
                known,
                given);
    }
}
