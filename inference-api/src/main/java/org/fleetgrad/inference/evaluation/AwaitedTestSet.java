package org.fleetgrad.inference.evaluation;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.inference.model.ImageShape;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The held-out samples once they are there: serving goes on without them, so that looking for them never ends. One thread
 * looks; others may read what was found.
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
     * Prepares to look.
     *
     * @param shape   the shape that their images must have
     * @param classes outputs of the network: the most classes that they may have
     */
    public AwaitedTestSet(TestSetReader reader, ImageShape shape, int classes) {
        this.reader = reader;
        this.shape = shape;
        this.classes = classes;
    }

    /** Returns the samples, where they were found. */
    public Optional<TestSet> found() {
        return Optional.ofNullable(found);
    }

    /** Looks for them unless they were found; says so where it finds none for another reason than before. */
    public Optional<TestSet> look() {
        if (found == null) {
            try {
                TestSet read = reader.read().requireFor(shape, classes);
                if (!told.isEmpty()) {
                    LOG.info(
                            "the held-out samples of {} are there: {}",
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
            LOG.warn(
                    "nothing is evaluated before the held-out samples of {} can be read: {}",
                    reader.location(),
                    reason);
        }
    }

    /** Returns how long to wait before the next look; longer each time. */
    Duration pause() {
        Duration now = pause;
        Duration doubled = pause.multipliedBy(2);
        pause = doubled.compareTo(LONGEST_PAUSE) < 0 ? doubled : LONGEST_PAUSE;
        return now;
    }
}
