package org.fleetgrad.inference.prediction;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import org.fleetgrad.inference.model.AccuracyBoard;
import org.fleetgrad.inference.model.LiveModel;

/** Classifies images with the newest version, and counts them. Thread-safe. */
public final class Predictor {

    private final LiveModel model;
    private final AccuracyBoard accuracies;
    private final LongAdder images = new LongAdder();

    /** Makes a predictor with {@code model}. */
    public Predictor(LiveModel model, AccuracyBoard accuracies) {
        this.model = model;
        this.accuracies = accuracies;
    }

    /** Classifies images, which must not be used again. Empty if there is no version yet. */
    public Optional<Prediction> predict(Images request) {
        return model.classify(request.takePixels(), request.count()).map(classification -> {
            images.add(request.count());
            return new Prediction(
                    classification, accuracies.newest(classification.version().generation()));
        });
    }

    /** Returns the number of images classified so far. */
    public long images() {
        return images.sum();
    }
}
