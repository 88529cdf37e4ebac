package dev.millrace.operators.train;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.udfs.model.Reject;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is said of a session that is lost, and what is done about what it leaves behind. */
final class SessionLoss {
    /** Reason of a session that the trainer does not know any more. */
    static final String LOST = "trainer_session_lost";

    /** Reason of a session in which a call was not answered in time. */
    static final String TIMED_OUT = "trainer_timeout";

    /** Reason of a run that its trainer can't go on with. */
    static final String GIVEN_UP = "trainer_failed";

    private static final Logger LOG = LoggerFactory.getLogger(SessionLoss.class);
    private static final String STAGE = "train";

    private SessionLoss() {}

    /** The failure that ends a session, if that is what an error comes from. */
    static Optional<TrainerException> in(Throwable error) {
        return failure(error).filter(TrainerException::endsTheSession);
    }

    /** The trainer's own failure, if that is what an error comes from. */
    static Optional<TrainerException> failure(Throwable error) {
        for (Throwable at = error; at != null; at = at.getCause()) {
            if (at instanceof TrainerException failure) {
                return Optional.of(failure);
            }
        }
        return Optional.empty();
    }

    static Reject givenUp(String runId, String session, String cause) {
        return new Reject(runId, STAGE, GIVEN_UP, session, cause);
    }

    static Reject reject(String runId, String session, TrainerException loss) {
        boolean late = loss.kind() == TrainerException.Kind.TIMED_OUT;
        return new Reject(runId, STAGE, late ? TIMED_OUT : LOST, session, loss.getMessage());
    }

    /** Closes what may hang, on a thread that nothing waits for. */
    static void abandon(SessionCalls calls, PolicyTrainer trainer) {
        Thread closer =
                new Thread(
                        () -> {
                            try (trainer;
                                    calls) {
                                LOG.debug("A lost session is closed");
                            } catch (RuntimeException e) {
                                LOG.warn("A lost session could not be closed", e);
                            }
                        },
                        "trainer-session-close");
        closer.setDaemon(true);
        closer.start();
    }
}
