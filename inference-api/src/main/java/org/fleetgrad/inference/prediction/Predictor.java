package org.fleetgrad.inference.prediction;

import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.fleetgrad.serving.Classification;
import org.fleetgrad.serving.ImageShape;
import org.fleetgrad.serving.LiveModel;
import org.fleetgrad.serving.ServedNetwork;
import org.fleetgrad.serving.images.Images;
import org.fleetgrad.serving.policy.AccuracyBoard;

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

    /**
     * Classifies images. Empty if there is no version yet.
     *
     * @param reader reads the images of the request in the shape that the served network takes; called again if another
     *     network came meanwhile
     */
    public Optional<Prediction> predict(Function<ImageShape, Images> reader) {
        while (true) {
            Optional<ServedNetwork> network = model.network();
            if (network.isEmpty()) {
                return Optional.empty();
            }
            ImageShape shape = network.get().shape();
            Images request = reader.apply(shape);
            Optional<Classification> answer = model.classify(shape, request.takePixels(), request.count());
            if (answer.isPresent()) {
                images.add(request.count());
                return answer.map(classification -> new Prediction(
                        classification,
                        accuracies.newest(classification.version().generation())));
            }
        }
    }

    /** Returns the number of images classified so far. */
    public long images() {
        return images.sum();
    }
}
