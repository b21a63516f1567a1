package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.inference.model.ImageShape;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The held-out samples, which may appear later than the service: the service answers without them and keeps looking for
 * them. One thread looks; other threads may read the result.
 */
public final class AwaitedTestSet {

    private static final Logger LOG = LoggerFactory.getLogger(AwaitedTestSet.class);
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final TestSetReader reader;
    private final ImageShape shape;
    private final int classes;
    private String told = "";
    private Duration pause = FIRST_PAUSE;
    private volatile @Nullable TestSet found;

    /**
     * Makes an empty test set; reads nothing yet.
     *
     * @param shape   required shape of an image
     * @param classes outputs of the network: the most classes that the samples may have
     */
    public AwaitedTestSet(TestSetReader reader, ImageShape shape, int classes) {
        this.reader = reader;
        this.shape = shape;
        this.classes = classes;
    }

    /** Returns the samples, if they were found. */
    public Optional<TestSet> found() {
        return Optional.ofNullable(found);
    }

    /** Reads the samples unless they were found before. Logs a failure whose reason differs from the last one. */
    public Optional<TestSet> look() {
        if (found == null) {
            try {
                TestSet read = reader.read().requireFor(shape, classes);
                if (!told.isEmpty()) {
                    LOG.info(
                            "found the held-out samples of {}: {}",
                            reader.location(),
                            read.samples().count());
                }
                found = read;
            } catch (IOException | IllegalArgumentException absent) {
                tell(absent.getClass().getSimpleName() + ": " + absent.getMessage());
            }
        }
        return found();
    }

    private void tell(String reason) {
        if (!told.equals(reason)) {
            told = reason;
            LOG.warn("cannot evaluate yet, the held-out samples of {} cannot be read: {}", reader.location(), reason);
        }
    }

    /** Returns the pause before the next attempt, longer each time. */
    Duration pause() {
        Duration now = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        return now;
    }
}
