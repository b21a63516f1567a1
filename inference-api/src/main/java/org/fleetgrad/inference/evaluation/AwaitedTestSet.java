package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.files.retry.Backoff;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.evaluation.TestSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The held-out samples, which may appear later than the service: the service answers without them and polls for them. One
 * thread polls; other threads may read the result.
 */
public final class AwaitedTestSet {

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedTestSet.class);
    private static final Duration INITIAL_PAUSE = Duration.ofSeconds(1);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(30);

    private final TestSetReader reader;
    private final Backoff backoff = new Backoff(INITIAL_PAUSE, MAX_PAUSE, 2);
    private volatile String lastReason = "";
    private volatile @Nullable TestSet found;

    public AwaitedTestSet(TestSetReader reader) {
        this.reader = reader;
    }

    public Optional<TestSet> found() {
        return Optional.ofNullable(found);
    }

    /** Returns why there are no samples that fit; empty if there are, and before the first poll. */
    Optional<String> detail() {
        return Optional.of(lastReason).filter(reason -> !reason.isEmpty());
    }

    /** Reads the samples unless they were found before. Logs a failure whose reason differs from the last one. */
    public Optional<TestSet> poll() {
        try {
            return Optional.of(read());
        } catch (IOException | IllegalArgumentException absent) {
            reportOnce("cannot be read: %s: %s".formatted(absent.getClass().getSimpleName(), absent.getMessage()));
            return Optional.empty();
        }
    }

    /** Reads the samples like {@link #poll}, and drops them if they do not fit: others may replace them. */
    Optional<TestSet> pollFor(ServedNetwork network, TensorSet parameters) {
        Optional<TestSet> samples = poll();
        try {
            samples.ifPresent(present -> present.requireFor(network, parameters));
        } catch (IllegalArgumentException unfit) {
            found = null;
            reportOnce("do not fit: " + unfit.getMessage());
            return Optional.empty();
        }
        if (samples.isPresent() && !lastReason.isEmpty()) {
            LOG.info(
                    "found the held-out samples of {}: {}",
                    reader.location(),
                    samples.get().samples().count());
            lastReason = "";
            backoff.reset();
        }
        return samples;
    }

    private TestSet read() throws IOException {
        TestSet known = found;
        if (known == null) {
            known = reader.read();
            found = known;
        }
        return known;
    }

    private void reportOnce(String what) {
        String reason = "the held-out samples of %s %s".formatted(reader.location(), what);
        if (!lastReason.equals(reason)) {
            LOG.warn("{}", reason);
            lastReason = reason;
        }
    }

    /** Returns the pause before the next attempt, longer each time. */
    Duration pause() {
        return backoff.next();
    }
}
