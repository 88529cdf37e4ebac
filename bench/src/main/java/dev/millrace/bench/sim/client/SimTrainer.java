package dev.millrace.bench.sim.client;

import dev.millrace.backends.port.PolicyTrainer;
import dev.millrace.backends.port.TrainerException;
import dev.millrace.backends.port.TrainerSession;

/** Trains at the trainer service. */
public final class SimTrainer implements PolicyTrainer {
    private final ServiceClient client;

    /** A trainer on the service behind a client. */
    public SimTrainer(ServiceClient client) {
        this.client = client;
    }

    @Override
    public TrainerSession open(String name, String stateUri) {
        try {
            client.callNow(
                    "/open", ServiceClient.request().put("session", name).put("state", stateUri));
        } catch (ServiceFailure e) {
            throw new TrainerException(
                    "Session " + name + " could not be opened: " + e.getMessage(), e);
        }
        return new SimTrainerSession(client, name);
    }

    @Override
    public void close() {
        // Connections belong to the process.
    }
}
