package dev.millrace.bench.sim;

import java.io.IOException;
import java.nio.file.Path;

/** Services inside this process, for tests of adapters. */
public final class Services implements AutoCloseable {
    private final SimServer server;
    private final ArmedFaults faults;
    private final Path log;

    private Services(SimServer server, ArmedFaults faults, Path log) {
        this.server = server;
        this.faults = faults;
        this.log = log;
    }

    /** Starts one, a thousand times faster than the clock. */
    public static Services start(SimProcess.Kind kind, Path log) throws IOException {
        VirtualTime time = new VirtualTime(1000);
        ArmedFaults faults = new ArmedFaults(time, System::currentTimeMillis, 1);
        Workload workload = new Workload(1, 6, 12, 0.04, 0, 0.01, 1);
        return new Services(SimProcess.start(kind, 0, log, workload, time, faults), faults, log);
    }

    public int port() {
        return server.port();
    }

    public void arm(String rule) throws FaultPlanException {
        faults.arm(FaultPlan.parse(rule, "test"));
    }

    /** How many lines of its log have this op. */
    public long count(String op) throws IOException {
        return ServiceLog.read(log).stream()
                .filter(line -> line.path("op").asText().equals(op))
                .count();
    }

    @Override
    public void close() {
        server.close();
    }
}
