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
 * The model that answers: two replicas, of which one answers while the other takes the next version, so that no
 * prediction waits for a load, fails because of a swap, or mixes two versions. Within a generation no client meets an
 * older version after a newer one. Safe from several threads.
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
     * Prepares a model; nothing is opened before the first version comes.
     *
     * @param opener      opens one instance of the network
     * @param shape       what it takes
     * @param description tells what holds where a version's metadata says nothing else
     */
    public LiveModel(Supplier<Classifier> opener, ImageShape shape, Supplier<ModelDescription> description) {
        this.opener = opener;
        this.shape = shape;
        this.description = description;
    }

    /** Returns what one image must be. */
    public ImageShape shape() {
        return shape;
    }

    /**
     * Makes {@code parameters} the version that answers; the one before answers until then.
     *
     * @throws IllegalArgumentException when they do not fit the network; the version before goes on answering
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

    /** Runs the network once: its first use, which is slow, shall not be a client's, nor shall one that has diverged. */
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
     * @return nothing while there is no version yet
     */
    public Optional<Classification> classify(float[] pixels, int count) {
        while (true) {
            Replica replica = active;
            if (replica == null) {
                return Optional.empty();
            }
            // A replica that became the spare one before it was locked may hold a version that is not published yet:
            // clients could meet it first and an older one after it.
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
