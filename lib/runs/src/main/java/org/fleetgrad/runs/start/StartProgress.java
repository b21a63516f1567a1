package org.fleetgrad.runs.start;

import java.io.IOException;
import java.time.Duration;
import java.util.Locale;

/** The progress of a starting program. Confined to the thread that waits. */
final class StartProgress {

    /** An idle JVM uses up to half a percent of a processor for its own housekeeping. */
    private static final int SHARE_OF_IDLE = 100;

    private final Starting program;
    private final Duration timeout;
    /** Polling a container takes a tenth of a second, so the first poll is not at the beginning. */
    private ProgramActivity newest = ProgramActivity.NONE;
    /** Its activity when it last made progress, and the time of that. */
    private ProgramActivity mark = ProgramActivity.NONE;

    private long markedAt;

    StartProgress(Starting program, Duration timeout, long now) {
        this.program = program;
        this.timeout = timeout;
        this.markedAt = now;
    }

    Starting program() {
        return program;
    }

    /** Polls the program, and returns whether it made progress within the timeout. */
    boolean isGettingOn(long now) throws IOException, InterruptedException {
        newest = program.activity();
        if (newest.isAheadOf(mark, timeout.dividedBy(SHARE_OF_IDLE))) {
            mark = newest;
            markedAt = now;
        }
        return now - markedAt < timeout.toNanos();
    }

    /** Describes its processor time since its start; empty if the system does not report it. */
    String used() {
        return newest.processorTime()
                .map(time -> "it used %s of processor time".formatted(seconds(time)))
                .orElse("");
    }

    /** Describes why it counts as stuck. */
    String standstill(long now) throws IOException, InterruptedException {
        Duration still = Duration.ofNanos(now - markedAt);
        String processor = newest.processorTime().isEmpty()
                ? "; the system does not report its processor time"
                : ", and it used %s of processor time (%s since its start)"
                        .formatted(
                                seconds(newest.since(mark)),
                                seconds(newest.processorTime().orElseThrow()));
        String last = program.lastLine();
        return "in the last %d s its log did not grow%s; its log %s %s"
                .formatted(
                        still.toSeconds(),
                        processor,
                        program.logPlace(),
                        last.isEmpty() ? "is empty" : "ends: " + last);
    }

    private static String seconds(Duration time) {
        return String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1e3);
    }
}
