package dev.millrace.bench.sim;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Runs one simulated service until its standard input ends, which it does when the parent dies.
 * Prints {@code port N} once it serves.
 */
public final class SimProcess {
    private static final int BAD_INPUT = 2;

    /** Which service. */
    public enum Kind {
        /** Samples. */
        MODEL,
        /** Makes sandboxes. */
        SANDBOX,
        /** Trains. */
        TRAINER
    }

    private SimProcess() {}

    /**
     * @param arguments kind, port (0 for any), log file, seed, time factor, workload ({@code
     *     swe-h}, {@code small} or {@code quick}), fault plan or nothing
     */
    public static void main(String[] arguments) throws IOException {
        System.setProperty("sun.net.httpserver.nodelay", "true");
        Kind kind = Kind.valueOf(arguments[0]);
        long seed = Long.parseLong(arguments[3]);
        Workload workload = Workload.named(arguments[5], seed);
        VirtualTime time = new VirtualTime(Double.parseDouble(arguments[4]));
        ArmedFaults faults = new ArmedFaults(time, System::currentTimeMillis, seed);
        try {
            if (arguments.length > 6) {
                FaultPlan.read(Path.of(arguments[6])).forEach(rule -> faults.arm(rule));
            }
        } catch (FaultPlanException e) {
            System.err.println(e.getMessage());
            System.exit(BAD_INPUT);
        }
        SimServer server =
                start(
                        kind,
                        Integer.parseInt(arguments[1]),
                        Path.of(arguments[2]),
                        workload,
                        time,
                        faults);
        System.out.println("port " + server.port());
        while (System.in.read() >= 0) {
            // Nothing is said to it.
        }
        System.exit(0);
    }

    /** Starts a service in this process. */
    static SimServer start(
            Kind kind, int port, Path log, Workload workload, VirtualTime time, ArmedFaults faults)
            throws IOException {
        List<JsonNode> past = ServiceLog.read(log);
        ServiceLog appended = ServiceLog.open(log);
        SimServer server = new SimServer(port, time, faults);
        switch (kind) {
            case MODEL -> new ModelService(workload, appended).routes(server);
            case SANDBOX -> new SandboxService(workload, time, appended, past).routes(server);
            case TRAINER -> new TrainerService(workload, time, appended, past).routes(server);
        }
        server.start();
        return server;
    }
}
