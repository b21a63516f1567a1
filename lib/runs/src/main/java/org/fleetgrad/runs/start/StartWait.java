package org.fleetgrad.runs.start;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import org.fleetgrad.files.retry.Sleeper;
import org.fleetgrad.files.units.Durations;
import org.fleetgrad.runs.output.RunOutput;

/**
 * One wait. The waiting thread checks in a loop whether the program has ended or is ready, and pauses in between. Belongs to
 * the thread that waits.
 */
public final class StartWait {

    /** Until then a start is not reported. */
    private static final Duration FIRST_WORD = Duration.ofSeconds(15);

    private static final Duration SHORT_PAUSE = Duration.ofMillis(50);
    /** A slow start is polled less often: responding to polls would look like progress. */
    private static final Duration LONG_PAUSE = Duration.ofSeconds(1);

    private final List<StartProgress> courses = new ArrayList<>();
    private final String goal;
    private final Duration timeout;
    private final RunOutput teller;
    private final LongSupplier nanoTime;
    private final Sleeper sleeper;
    private final long begin;
    private long lookedAt;
    private long spokeAt;
    private boolean hasSpoken;

    StartWait(
            List<? extends Starting> programs,
            String goal,
            Duration timeout,
            RunOutput teller,
            LongSupplier nanoTime,
            Sleeper sleeper) {
        this.goal = goal;
        this.timeout = timeout;
        this.teller = teller;
        this.nanoTime = nanoTime;
        this.sleeper = sleeper;
        this.begin = nanoTime.getAsLong();
        this.lookedAt = begin;
        for (Starting program : programs) {
            courses.add(new StartProgress(program, timeout, begin));
        }
    }

    /** Records that a program is ready. */
    public void arrived(Starting program) {
        courses.removeIf(course -> course.program() == program);
    }

    /**
     * Pauses for a moment, and checks.
     *
     * @throws StuckException if no program got on within the timeout
     */
    public void pause() throws IOException, InterruptedException {
        sleeper.sleep(isLong(nanoTime.getAsLong()) ? LONG_PAUSE : SHORT_PAUSE);
        look();
    }

    /**
     * Checks the programs, and reports occasionally what is waited for.
     *
     * @throws StuckException if no program got on within the timeout
     */
    public void look() throws IOException, InterruptedException {
        long now = nanoTime.getAsLong();
        if (now - lookedAt < LONG_PAUSE.toNanos()) {
            return;
        }
        lookedAt = now;
        boolean isAnyGettingOn = courses.isEmpty();
        for (StartProgress course : courses) {
            isAnyGettingOn |= course.isGettingOn(now);
        }
        if (!isAnyGettingOn) {
            throw new StuckException(standstill(now));
        }
        if (isLong(now)) {
            speak(now);
        }
    }

    private boolean isLong(long now) {
        return now - begin >= FIRST_WORD.toNanos();
    }

    private void speak(long now) {
        if (courses.isEmpty() || (hasSpoken && now - spokeAt < teller.pace().toNanos())) {
            return;
        }
        spokeAt = now;
        String state = "waiting for %s to %s: %d s".formatted(names(), goal, seconds(now));
        StringJoiner text = new StringJoiner(", ").add(state);
        addUnlessEmpty(text, courses.size() == 1 ? courses.get(0).used() : "");
        addUnlessEmpty(text, machineLoad());
        if (hasSpoken) {
            teller.live(text.toString());
        } else {
            hasSpoken = true;
            teller.tell(text.add("log " + courses.get(0).program().logPlace()).toString());
        }
    }

    /** Describes how busy this machine is, the usual reason for a slow start; empty if the system does not report it. */
    private static String machineLoad() {
        OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        double load = system.getSystemLoadAverage();
        return load < 0
                ? ""
                : String.format(Locale.ROOT, "load %.1f on %d processors", load, system.getAvailableProcessors());
    }

    private static void addUnlessEmpty(StringJoiner text, String part) {
        if (!part.isEmpty()) {
            text.add(part);
        }
    }

    private String standstill(long now) throws IOException, InterruptedException {
        List<String> reasons = new ArrayList<>();
        for (StartProgress course : courses) {
            String who = courses.size() == 1 ? "" : course.program().name() + ": ";
            reasons.add(who + course.standstill(now));
        }
        return "%s failed to %s within %d s: %s. A longer --start-timeout than %s gives it more time"
                .formatted(names(), goal, seconds(now), String.join("; ", reasons), Durations.print(timeout));
    }

    private long seconds(long now) {
        return Duration.ofNanos(now - begin).toSeconds();
    }

    private String names() {
        return courses.stream().map(course -> course.program().name()).collect(Collectors.joining(", "));
    }
}
