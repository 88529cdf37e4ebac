package dev.millrace.jobs.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.millrace.udfs.model.GroupRecord;
import dev.millrace.udfs.model.Lane;
import dev.millrace.udfs.model.PolicyRecord;
import dev.millrace.udfs.model.ProgressRecord;
import dev.millrace.udfs.model.Verdict;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.flink.api.common.JobStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole run on processes that are killed while it goes on. */
class ProcessClusterTest {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final ClusterShape SHAPE = new ClusterShape(2, 2, 768, 576, Map.of());

    @TempDir Path folder;

    @Test
    void aRunThatLosesEachOfItsProcessesTrainsEveryGroupOnce() throws Exception {
        List<Member> members = new ArrayList<>();
        try (ProcessCluster cluster = ProcessCluster.start(folder.resolve("cluster"), SHAPE)) {
            members.addAll(cluster.taskManagers());
            members.add(cluster.jobManager());
            members.add(cluster.broker());
            ClusterRun run = new ClusterRun(cluster, folder);
            ClusterJob job = cluster.submit(run.plan, Optional.empty());
            trainTo(run, 2);

            killTheTrainers(cluster, job);
            trainTo(run, 5);
            assertThat(job.restarts().get("Train")).allMatch(attempt -> attempt > 0);

            job = killTheJobManager(cluster, job);
            trainTo(run, 8);

            cluster.broker().kill();
            cluster.broker().restart();
            awaitCheckpoints(job, 2);
            run.allowSteps(ClusterRun.STEPS);
            awaitEnd(job);

            assertThat(job.status()).isEqualTo(JobStatus.FINISHED);
            assertEverythingIsAccountedFor(run);
        }
        assertThat(members).as("nobody is left behind").noneMatch(Member::alive);
        assertThat(folder.resolve("cluster/tmp")).doesNotExist();
    }

    private static void killTheTrainers(ProcessCluster cluster, ClusterJob job) {
        String name = job.taskManagersOf("Train").get(0);
        Member trainers =
                cluster.taskManagers().stream()
                        .filter(member -> member.name().equals(name))
                        .findFirst()
                        .orElseThrow();
        long before = trainers.pid();
        trainers.kill();
        assertThat(trainers.alive()).isFalse();
        trainers.restart();
        assertThat(trainers.pid()).isNotEqualTo(before);
    }

    private static ClusterJob killTheJobManager(ProcessCluster cluster, ClusterJob job) {
        cluster.jobManager().kill();
        assertThatThrownBy(job::status).isInstanceOf(JobManagerAway.class);
        assertThat(job.newestCheckpoint()).isPresent();
        cluster.jobManager().restart();
        assertThatThrownBy(job::status).isInstanceOf(JobManagerAway.class);
        ClusterJob again = job.resubmit();
        assertThat(again.jobId()).isNotEqualTo(job.jobId());
        return again;
    }

    private static void assertEverythingIsAccountedFor(ClusterRun run) throws Exception {
        List<PolicyRecord> publications = run.publications();
        PolicyRecord last =
                publications.stream()
                        .max((a, b) -> a.version().compareTo(b.version()))
                        .orElseThrow();
        assertThat(last.step()).as("newest of %s", publications).isEqualTo(ClusterRun.STEPS);
        assertThat(last.last()).isTrue();
        assertThat(last.epoch()).as("each loss of the trainer begins an epoch").isGreaterThan(2);
        List<String> trained = FolderTrainer.trained(last.uri());
        assertThat(trained).as("nothing is trained twice").doesNotHaveDuplicates();
        assertThat(trained)
                .hasSize(ClusterRun.STEPS * ClusterRun.GROUPS_PER_BATCH * ClusterRun.GROUP_SIZE);

        Map<String, GroupRecord> first = new HashMap<>();
        run.groups().stream()
                .filter(g -> g.lane() == Lane.TRAIN)
                .forEach(g -> first.putIfAbsent(g.groupId(), g));
        Map<String, Set<String>> admissions = run.admissions();
        Set<String> admitted =
                admissions.keySet().stream()
                        .filter(id -> id.contains("/g"))
                        .collect(Collectors.toSet());
        assertThat(first.keySet()).as("what was admitted is closed").isEqualTo(admitted);
        assertThat(admissions.values())
                .as("a group is admitted once")
                .allSatisfy(ids -> assertThat(ids).hasSize(1));
        Set<String> fates = new HashSet<>();
        run.read(run.plan.topics().progress(), ProgressRecord.class).stream()
                .filter(p -> p.kind() != ProgressRecord.Kind.DRAINED)
                .forEach(p -> fates.add(p.groupId()));
        first.values().stream()
                .filter(g -> g.verdict() == Verdict.MIXED)
                .forEach(g -> assertThat(fates).as("fate of a mixed group").contains(g.groupId()));
    }

    private static void trainTo(ClusterRun run, int step) throws Exception {
        run.allowSteps(step);
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> run.step() == step);
    }

    /** Later ones than are complete now: every task works with the broker again. */
    private static void awaitCheckpoints(ClusterJob job, int count) {
        for (int i = 0; i < count; i++) {
            Optional<String> newest = job.newestCheckpoint();
            await().atMost(PATIENCE)
                    .pollInterval(Duration.ofMillis(300))
                    .until(() -> !job.newestCheckpoint().equals(newest));
        }
    }

    private static void awaitEnd(ClusterJob job) {
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(300))
                .until(() -> job.status().isGloballyTerminalState());
    }
}
