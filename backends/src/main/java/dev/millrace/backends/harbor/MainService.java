package dev.millrace.backends.harbor;

/** The only service that a task's environment has. */
final class MainService {
    private MainService() {}

    /** Refuses an entry about another one. */
    static void require(TaskToml entry) {
        String service = entry.text("service").orElse("main");
        if (!service.equals("main")) {
            entry.problem("service", "'" + service + "' is unsupported, as compose is", "use main");
        }
    }
}
