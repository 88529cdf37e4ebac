package dev.millrace.bench.sim;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** The rules that are in force, and how often each has struck. Thread-safe. */
final class ArmedFaults {
    private static final class Armed {
        final FaultRule rule;
        final int number;
        final long sinceMillis;
        int struck;

        Armed(FaultRule rule, int number, long sinceMillis) {
            this.rule = rule;
            this.number = number;
            this.sinceMillis = sinceMillis;
        }
    }

    private final VirtualTime time;
    private final LongSupplier millis;
    private final long seed;
    private final List<Armed> armed = new ArrayList<>();
    private final Map<Integer, Long> firstStrikes = new HashMap<>();
    private int numbers;

    /**
     * @param millis the clock
     * @param seed of the choice of calls that a percentage concerns
     */
    ArmedFaults(VirtualTime time, LongSupplier millis, long seed) {
        this.time = time;
        this.millis = millis;
        this.seed = seed;
    }

    /** Puts a rule in force; the number it is known by. */
    synchronized int arm(FaultRule rule) {
        armed.add(new Armed(rule, numbers, millis.getAsLong()));
        return numbers++;
    }

    /** When a rule struck for the first time, by the clock; empty before. */
    synchronized OptionalLong firstStrike(int number) {
        Long at = firstStrikes.get(number);
        return at == null ? OptionalLong.empty() : OptionalLong.of(at);
    }

    /** The fault that strikes this call, if one does; it counts as struck. */
    synchronized Optional<FaultRule> next(FaultTarget target, String id) {
        armed.removeIf(this::over);
        for (Armed each : armed) {
            FaultRule rule = each.rule;
            if (rule.target() == target && rule.selects(id) && chosen(rule, id)) {
                each.struck++;
                firstStrikes.putIfAbsent(each.number, millis.getAsLong());
                return Optional.of(rule);
            }
        }
        return Optional.empty();
    }

    private boolean over(Armed each) {
        FaultRule rule = each.rule;
        boolean usedUp = rule.times() > 0 && each.struck >= rule.times();
        long passed = time.virtualMillis(millis.getAsLong() - each.sinceMillis);
        return usedUp || (rule.lastsMillis() > 0 && passed >= rule.lastsMillis());
    }

    private boolean chosen(FaultRule rule, String id) {
        return rule.percent() >= 100
                || Draws.of(seed, rule.target(), id).nextDouble() * 100 < rule.percent();
    }
}
