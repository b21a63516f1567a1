package org.fleetgrad.serving;

import java.util.Arrays;
import java.util.Optional;
import java.util.function.Function;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.jspecify.annotations.Nullable;

/**
 * The model that answers predictions. It has two replicas: one answers while the other loads the next version, so that
 * no prediction waits for a load, fails because of a swap, or mixes two versions. Within a generation no client sees an
 * older version after a newer one. Thread-safe.
 *
 * <p>Each version names its network. If that is another one than the last version's, as after the begin of another run, the
 * replicas are opened anew.
 */
public final class LiveModel implements AutoCloseable {

    private static final int SHOWN = 10;

    private final Classifiers classifiers;
    private final Function<ServedNetwork, ModelDescription> descriptions;
    private final long memoryBytes;
    private volatile @Nullable Replica active;
    private volatile @Nullable ParameterVersion served;
    private @Nullable Replica spare;
    private boolean isClosed;

    /**
     * Makes a model; opens no network before the first version comes.
     *
     * @param classifiers  opens the instances of the network
     * @param descriptions returns the description for versions whose metadata states none
     * @param memoryBytes  memory that images may take while the network computes; a prediction of more images takes several
     *     passes
     */
    public LiveModel(
            Classifiers classifiers, Function<ServedNetwork, ModelDescription> descriptions, long memoryBytes) {
        this.classifiers = classifiers;
        this.descriptions = descriptions;
        this.memoryBytes = memoryBytes;
    }

    /** Returns the network of the version that answers. */
    public Optional<ServedNetwork> network() {
        return Optional.ofNullable(active).map(Replica::network);
    }

    /**
     * Makes {@code parameters} the version that answers; the previous version answers until then.
     *
     * @throws IllegalArgumentException if they name no network, do not fit the one that they name, or name one whose images
     *     take too much memory; then the previous version continues to answer
     */
    public synchronized void swapTo(ParameterVersion version, TensorSet parameters) {
        if (isClosed) {
            return;
        }
        ServedNetwork network = classifiers.networkOf(parameters);
        requireMemory(network);
        ModelDescription description = descriptions.apply(network).statedBy(parameters.metadata(), network);
        closeSpareUnlessOf(network);
        Replica next = spare == null ? new Replica(network, classifiers.open(network)) : spare;
        spare = next;
        next.load(parameters, new Replica.Loaded(version, description));
        tryOut(next);
        spare = active;
        active = next;
        served = version;
        // A large network's memory is not kept for a run that is over.
        closeSpareUnlessOf(network);
    }

    private void requireMemory(ServedNetwork network) {
        // A parameter set of 1 MB can name a network whose images take gigabytes.
        if (network.imageBytes() > memoryBytes) {
            throw new IllegalArgumentException(
                    "the network %s takes %d bytes to predict one image; inference.prediction-memory allows %d"
                            .formatted(network.name(), network.imageBytes(), memoryBytes));
        }
    }

    private void closeSpareUnlessOf(ServedNetwork network) {
        Replica kept = spare;
        if (kept != null && !kept.network().equals(network)) {
            spare = null;
            kept.close();
        }
    }

    /** Runs the network once: the slow first use must not delay a client, and a diverged version must not be served. */
    private void tryOut(Replica replica) {
        float[] black = new float[replica.network().shape().values()];
        float[] logits = replica.use((classifier, loaded) -> Optional.of(classifier.logits(black, 1)))
                .orElseThrow();
        for (float logit : logits) {
            if (!Float.isFinite(logit)) {
                throw new IllegalArgumentException(
                        "the network answers %s: training has diverged".formatted(beginning(logits)));
            }
        }
    }

    private static String beginning(float[] logits) {
        return logits.length <= SHOWN
                ? Arrays.toString(logits)
                : "%s and %d more".formatted(Arrays.toString(Arrays.copyOf(logits, SHOWN)), logits.length - SHOWN);
    }

    /** Returns the version that answers. */
    public Optional<ParameterVersion> version() {
        return Optional.ofNullable(served);
    }

    /**
     * Classifies images.
     *
     * @param shape  of each image
     * @param pixels [count, channels, height, width], each 0..255; overwritten
     * @return empty if there is no version yet, or if its network takes images of another shape
     */
    public Optional<Classification> classify(ImageShape shape, float[] pixels, int count) {
        while (true) {
            Replica replica = active;
            if (replica == null || !replica.network().shape().equals(shape)) {
                return Optional.empty();
            }
            // The replica may have become the spare between the choice and the lock, and may then hold a version that
            // is not published yet. Answering with it would let a client see an older version afterwards.
            Optional<Classification> answer = replica.use((classifier, loaded) -> replica == active
                    ? Optional.of(new Scoring(replica.network(), loaded.description(), memoryBytes)
                            .classify(loaded.version(), classifier::logits, pixels, count))
                    : Optional.empty());
            if (answer.isPresent()) {
                return answer;
            }
        }
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
