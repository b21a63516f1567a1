package org.fleetgrad.inference.feedback;

import java.util.List;
import org.fleetgrad.serving.Images;
import org.fleetgrad.serving.PredictionResult;

/** Learns from answers whose true labels come later. Its calls return at once, whatever the disk does. Thread-safe. */
public interface Learning extends AutoCloseable {

    /** Learns nothing. */
    Learning NONE = new Learning() {
        @Override
        public void answered(long first, PredictionResult result, Images request) {
            // Nothing is kept.
        }

        @Override
        public void labelled(long sequence, List<String> classes, int label) {
            // Nothing was kept.
        }
    };

    /**
     * An answer was given.
     *
     * @param first   sequence number of its first prediction; the others follow
     * @param request the samples of all its predictions
     */
    void answered(long first, PredictionResult result, Images request);

    /**
     * The true label of a prediction came, for the first time.
     *
     * @param sequence its sequence number
     * @param classes  those of the version that made it
     * @param label    a number of one of them
     */
    void labelled(long sequence, List<String> classes, int label);

    @Override
    default void close() {}
}
