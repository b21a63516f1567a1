package org.fleetgrad.ps.web.exchange;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.ps.outcome.PushOutcome;
import org.fleetgrad.ps.outcome.SubmissionResult;

/** The meters of pushes: their time by outcome, their bytes by encoding. Thread-safe. */
final class PushMeters {

    private final MeterRegistry meters;
    private final Map<String, Timer> times = new ConcurrentHashMap<>();
    private final Map<String, Counter> bytes = new ConcurrentHashMap<>();

    PushMeters(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Counts a push that the applier has answered. */
    void pushed(SubmissionResult<PushOutcome> answer, long begunNanos) {
        times.computeIfAbsent(PushOutcome.label(answer), label -> meters.timer("ps.push", "outcome", label))
                .record(System.nanoTime() - begunNanos, TimeUnit.NANOSECONDS);
    }

    /** Counts the bytes of a gradient's tensors. */
    void received(String encoding, long count) {
        bytes.computeIfAbsent(encoding, name -> meters.counter("ps.gradient.bytes", "encoding", name))
                .increment((double) count);
    }
}
