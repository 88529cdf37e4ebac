package dev.millrace.bench.soak.verify;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.millrace.bench.sim.SimTokens;
import dev.millrace.bench.soak.verify.Evidence.Journaled;
import dev.millrace.udfs.model.Admission;
import dev.millrace.udfs.model.AttemptBudget;
import dev.millrace.udfs.model.AttemptSummary;
import dev.millrace.udfs.model.Executed;
import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.Outcome;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.PolicyRef;
import dev.millrace.udfs.model.PolicyVersion;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Split;
import dev.millrace.udfs.model.StepEvent;
import dev.millrace.udfs.model.Task;
import dev.millrace.udfs.model.Verdict;
import dev.millrace.udfs.seed.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A run of two steps with one group each, written by hand: it keeps all promises. */
final class HandMade {
    static final String RUN = "run-1";
    private static final ObjectMapper JSON = new ObjectMapper();

    final List<Journaled> events = new ArrayList<>();
    final List<GroupRecord> groups = new ArrayList<>();
    final List<PolicyRecord> policies = new ArrayList<>();
    final List<ProgressRecord> progress = new ArrayList<>();
    final List<JsonNode> trainer = new ArrayList<>();
    final List<JsonNode> sandboxes = new ArrayList<>();
    final List<Long> kills = new ArrayList<>(List.of(50L));

    /** Plays, trains and publishes. */
    static HandMade good() {
        HandMade run = new HandMade();
        run.announce(1, 0, 0);
        run.group(0, new PolicyVersion(1, 0));
        run.group(1, new PolicyVersion(1, 0));
        run.open("one", "");
        run.train("one", 1, 0, 0);
        run.train("one", 1, 1, 1);
        run.publish("one", 1, 2);
        return run;
    }

    Evidence evidence() {
        return new Evidence(
                new Evidence.Promises(2, 1, 1),
                events,
                groups,
                policies,
                progress,
                trainer,
                sandboxes,
                kills);
    }

    Findings judged() {
        return Verifier.judge(evidence());
    }

    /** Admits and closes a group of two, and says that a step took it. */
    void group(long index, PolicyVersion version) {
        admit(index, version);
        close(index, version, List.of());
        taken(index, 1, index);
    }

    void admit(long index, PolicyVersion version) {
        for (int a = 0; a < 2; a++) {
            Admission admission = admission(index, a, version);
            StepEvent event =
                    StepEvent.of(
                                    "rollout",
                                    "r",
                                    admission.attemptId(),
                                    "x",
                                    StepEvent.ADMIT,
                                    StepEvent.Kind.ADMITTED,
                                    0)
                            .with(admission);
            events.add(new Journaled(event, 10));
        }
    }

    void close(long index, PolicyVersion version, List<String> flags) {
        List<AttemptSummary> attempts = new ArrayList<>();
        for (int a = 0; a < 2; a++) {
            attempts.add(
                    new AttemptSummary(
                            id(index) + "/a" + a,
                            a,
                            Outcome.SUBMITTED,
                            true,
                            a,
                            null,
                            flags,
                            null,
                            3,
                            30,
                            40,
                            version,
                            1,
                            1,
                            1));
        }
        groups.add(
                new GroupRecord(
                        RUN,
                        false,
                        Lane.TRAIN,
                        id(index),
                        index,
                        "x",
                        task(),
                        new PolicyRef(version, "uri"),
                        "",
                        false,
                        Verdict.MIXED,
                        "",
                        0.5,
                        attempts));
    }

    void taken(long index, long epoch, long step) {
        progress.add(
                new ProgressRecord(
                        RUN,
                        ProgressRecord.Kind.TAKEN,
                        "learn",
                        epoch,
                        id(index),
                        index,
                        step,
                        ""));
    }

    void announce(long epoch, long parent, long fork) {
        policies.add(
                new PolicyRecord(
                        RUN,
                        PolicyRecord.Kind.ANNOUNCE,
                        epoch,
                        fork,
                        parent,
                        "n",
                        "",
                        false,
                        Map.of()));
    }

    void publish(String session, long epoch, long step) {
        String uri = session + "-step" + step;
        trainer.add(line("publish").put("session", session).put("uri", uri));
        policies.add(
                new PolicyRecord(
                        RUN,
                        PolicyRecord.Kind.PUBLICATION,
                        epoch,
                        step,
                        0,
                        "n",
                        uri,
                        false,
                        Map.of()));
    }

    void open(String session, String state) {
        trainer.add(line("open").put("session", session).put("state", state));
    }

    void save(String session, String state) {
        trainer.add(line("save").put("session", session).put("uri", state));
    }

    /** Trains on both attempts of a group. */
    void train(String session, long epoch, long step, long index) {
        String effect = RUN + "/e" + epoch + "/s" + step + "/m0/p0/";
        ObjectNode gathered =
                line("forward_backward").put("session", session).put("effect", effect + "fb");
        gathered.putArray("data").add(datum(index, 0)).add(datum(index, 1));
        trainer.add(gathered);
        trainer.add(line("optim_step").put("session", session).put("effect", effect + "opt"));
    }

    void create(long sandbox, String lease) {
        sandboxes.add(line("create").put("id", sandbox).put("lease", lease));
    }

    void end(long sandbox) {
        sandboxes.add(line("end").put("id", sandbox));
    }

    void exec(long sandbox, String lease, String effect, long at) {
        sandboxes.add(
                line("exec")
                        .put("id", sandbox)
                        .put("lease", lease)
                        .put("effect", effect)
                        .put("command", "work")
                        .put("at", at));
    }

    void executed(long index, int attempt, String effect, long at) {
        StepEvent event =
                StepEvent.of(
                                "rollout",
                                "r",
                                id(index) + "/a" + attempt,
                                "x",
                                effect,
                                StepEvent.Kind.EXECUTED,
                                1)
                        .with(new Executed(0, false, new int[0], 0, "", false));
        events.add(new Journaled(event, at));
    }

    static String lease(long index, int attempt) {
        return id(index) + "/a" + attempt + "/x/t1";
    }

    static String id(long index) {
        return RUN + "/g" + index;
    }

    private static String datum(long index, int attempt) {
        return SimTokens.name(
                Seeds.ofTurn(admission(index, attempt, PolicyVersion.NONE).seed(), 0));
    }

    private static Admission admission(long index, int attempt, PolicyVersion version) {
        return new Admission(
                RUN,
                Lane.TRAIN,
                id(index),
                index,
                "x",
                2,
                attempt,
                "r",
                task(),
                new PolicyRef(version, "uri"),
                1,
                Seeds.ofAttempt(1, id(index), attempt),
                "",
                new AttemptBudget(1, 1, 1, 1, 1, 1, 1));
    }

    private static Task task() {
        return new Task("task-1", "sim:1", Split.TRAIN, "");
    }

    private static ObjectNode line(String op) {
        return JSON.createObjectNode().put("op", op);
    }
}
