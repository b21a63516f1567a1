package org.fleetgrad.inference.model;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.fleetgrad.inference.model.Classification.Scores;
import org.fleetgrad.networks.Softmax;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * The model that answers predictions. It has two replicas: one answers while the other loads the next version, so that
 * no prediction waits for a load, fails because of a swap, or mixes two versions. Within a generation no client sees an
 * older version after a newer one. Thread-safe.
 */
public final class LiveModel implements AutoCloseable {

    private final Supplier<Classifier> opener;
    private final ImageShape shape;
    private final Supplier<ModelDescription> description;
    private volatile @Nullable Replica active;
    private volatile @Nullable ParameterVersion served;
    private @Nullable Replica spare;
    private boolean isClosed;

    /**
     * Makes a model; opens no network before the first version comes.
     *
     * @param opener      opens one instance of the network
     * @param shape       shape of its images
     * @param description returns the description for versions whose metadata states none
     */
    public LiveModel(Supplier<Classifier> opener, ImageShape shape, Supplier<ModelDescription> description) {
        this.opener = opener;
        this.shape = shape;
        this.description = description;
    }

    /** Returns the required shape of an image. */
    public ImageShape shape() {
        return shape;
    }

    /**
     * Makes {@code parameters} the version that answers; the previous version answers until then.
     *
     * @throws IllegalArgumentException if they do not fit the network; then the previous version continues to answer
     */
    public synchronized void swapTo(ParameterVersion version, TensorSet parameters) {
        if (isClosed) {
            return;
        }
        Replica next = spare == null ? new Replica(opener.get()) : spare;
        spare = next;
        next.load(parameters, new Replica.Loaded(version, description.get().overriddenBy(parameters.metadata())));
        tryOut(next);
        spare = active;
        active = next;
        served = version;
    }

    /** Runs the network once: the slow first use must not delay a client, and a diverged version must not be served. */
    private void tryOut(Replica replica) {
        float[] logits = replica.use(
                        (classifier, loaded) -> Optional.of(classifier.logits(new float[shape.values()], 1)))
                .orElseThrow();
        for (float logit : logits) {
            if (!Float.isFinite(logit)) {
                throw new IllegalArgumentException(
                        "the network answers %s: training has diverged".formatted(Arrays.toString(logits)));
            }
        }
    }

    /** Returns the version that answers. */
    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(served);
    }

    /**
     * Classifies images.
     *
     * @param pixels [count, channels, height, width], each 0..255; overwritten
     * @return empty if there is no version yet
     */
    public Optional<Classification> classify(float[] pixels, int count) {
        while (true) {
            Replica replica = active;
            if (replica == null) {
                return Optional.empty();
            }
            // The replica may have become the spare between the choice and the lock, and may then hold a version that
            // is not published yet. Answering with it would let a client see an older version afterwards.
            Optional<Classification> answer = replica.use((classifier, loaded) ->
                    replica == active ? Optional.of(classify(classifier, loaded, pixels, count)) : Optional.empty());
            if (answer.isPresent()) {
                return answer;
            }
        }
    }

    private Classification classify(Classifier classifier, Replica.Loaded loaded, float[] pixels, int count) {
        loaded.description().normalize(pixels, shape);
        float[] logits = classifier.logits(pixels, count);
        int classes = logits.length / count;
        List<Scores> images = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            float[] ofImage = Arrays.copyOfRange(logits, i * classes, (i + 1) * classes);
            images.add(scores(ofImage, loaded.description().classes()));
        }
        return new Classification(loaded.version(), images);
    }

    private static Scores scores(float[] logits, List<String> classes) {
        float[] probabilities = Softmax.probabilities(logits);
        int best = 0;
        for (int i = 1; i < probabilities.length; i++) {
            if (probabilities[i] > probabilities[best]) {
                best = i;
            }
        }
        List<Float> list = IntStream.range(0, probabilities.length)
                .mapToObj(i -> probabilities[i])
                .toList();
        return new Scores(classes.get(best), best, list);
    }

    @Override
    public synchronized void close() {
        isClosed = true;
        Replica answering = active;
        active = null;
        served = null;
        if (answering != null) {
            answering.close();
        }
        if (spare != null) {
            spare.close();
        }
    }
}
