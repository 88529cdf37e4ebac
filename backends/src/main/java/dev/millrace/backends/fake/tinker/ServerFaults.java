package dev.millrace.backends.fake.tinker;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What a fake server does otherwise than asked, and what goes wrong. Paths are the last part of a
 * call's path, for instance {@code optim_step}.
 */
public final class ServerFaults {
    private final Map<String, AtomicInteger> lost = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> refused = new ConcurrentHashMap<>();
    private final Map<String, Integer> statuses = new ConcurrentHashMap<>();
    volatile boolean averages;
    volatile boolean forgetsNumbers;
    volatile boolean leavesFirstLogprobOut;
    volatile boolean overwritesPublications;
    volatile boolean handsGradientsOn;
    volatile boolean knowsLostModels;
    volatile boolean takesOnlyProtobuf;
    volatile boolean saysTryAgain;
    volatile long operationMillis;

    /** The next calls are carried out, their answers lost. */
    public ServerFaults loseReplies(String path, int times) {
        lost.put(path, new AtomicInteger(times));
        return this;
    }

    /** The next calls are answered with a status and not carried out. */
    public ServerFaults refuse(String path, int status, int times) {
        statuses.put(path, status);
        refused.put(path, new AtomicInteger(times));
        return this;
    }

    /** Averages over tokens and sequences instead of summing. */
    public ServerFaults averages() {
        averages = true;
        return this;
    }

    /** Carries a training call out again that comes again under its number. */
    public ServerFaults forgetsNumbers() {
        forgetsNumbers = true;
        return this;
    }

    /** Gives one log-probability less than a prompt has tokens. */
    public ServerFaults leavesFirstLogprobOut() {
        leavesFirstLogprobOut = true;
        return this;
    }

    /** Samples every publication from the adapter as it is now. */
    public ServerFaults overwritesPublications() {
        overwritesPublications = true;
        return this;
    }

    /** Leaves what an unloaded model has gathered to the next one. */
    public ServerFaults handsGradientsOn() {
        handsGradientsOn = true;
        return this;
    }

    /** Says of models that it has lost that they are there. */
    public ServerFaults knowsLostModels() {
        knowsLostModels = true;
        return this;
    }

    /** Refuses gradients asked for in JSON. */
    public ServerFaults takesOnlyProtobuf() {
        takesOnlyProtobuf = true;
        return this;
    }

    /** Answers a question for an unfinished result at once, with a pause for want of capacity. */
    public ServerFaults saysTryAgain() {
        saysTryAgain = true;
        return this;
    }

    /** Every operation takes that long. */
    public ServerFaults operationMillis(long millis) {
        operationMillis = millis;
        return this;
    }

    boolean losesReply(String path) {
        return take(lost, path);
    }

    /** The status to refuse with; 0 for none. */
    int refusal(String path) {
        return take(refused, path) ? statuses.get(path) : 0;
    }

    private static boolean take(Map<String, AtomicInteger> plan, String path) {
        AtomicInteger left = plan.get(path);
        return left != null && left.getAndDecrement() > 0;
    }
}
