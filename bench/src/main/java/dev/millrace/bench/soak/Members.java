package dev.millrace.bench.soak;

import dev.millrace.jobs.cluster.Member;
import dev.millrace.jobs.cluster.ProcessCluster;
import dev.millrace.jobs.launch.FolderRemoval;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Kills the processes of a cluster and starts them again, as whatever supervises them does. */
final class Members {
    private static final int MOST_STARTS = 3;

    private final ProcessCluster cluster;
    private final Path temporary;
    private final List<String> revived = new ArrayList<>();

    /**
     * @param temporary has a folder of short-lived files for each of them
     */
    Members(ProcessCluster cluster, Path temporary) {
        this.cluster = cluster;
        this.temporary = temporary;
    }

    /** Kills a process and starts it again. */
    void kill(Member member) {
        member.kill();
        clear(member);
        member.restart();
    }

    /** Kills the JobManager and all TaskManagers, then starts them again. */
    void killFlink() {
        List<Member> members = new ArrayList<>(cluster.taskManagers());
        members.forEach(Member::kill);
        cluster.jobManager().kill();
        members.add(cluster.jobManager());
        members.forEach(this::clear);
        members.forEach(Member::restart);
        awaitTaskManagers();
    }

    /**
     * Waits for all TaskManagers; one that ends by itself while it starts is started again.
     *
     * @throws IllegalStateException when that happens again and again
     */
    void awaitTaskManagers() {
        for (int tries = 1; ; tries++) {
            try {
                revive();
                cluster.awaitTaskManagers();
                return;
            } catch (IllegalStateException e) {
                if (tries == MOST_STARTS) {
                    throw e;
                }
            }
        }
    }

    /** Starts TaskManagers that have ended by themselves again. */
    void revive() {
        for (Member member : cluster.taskManagers()) {
            if (!member.alive()) {
                revived.add(member.name());
                member.restart();
            }
        }
    }

    /** TaskManagers that had ended by themselves. */
    List<String> revived() {
        return List.copyOf(revived);
    }

    /** Names of those that run. */
    List<String> alive() {
        List<Member> members = new ArrayList<>(cluster.taskManagers());
        members.add(cluster.jobManager());
        members.add(cluster.broker());
        return members.stream().filter(Member::alive).map(Member::name).toList();
    }

    /** A process that was killed leaves its unpacked libraries, tens of MiB. */
    private void clear(Member member) {
        Path folder = temporary.resolve(member.name());
        FolderRemoval.remove(folder);
        folder.toFile().mkdirs();
    }
}
