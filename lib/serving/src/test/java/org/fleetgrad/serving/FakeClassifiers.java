package org.fleetgrad.serving;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.networks.Task.ImageClassification;
import org.fleetgrad.protocol.MetadataKeys;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Opens {@link FakeClassifier}s, for sets that name one of two networks: {@code fake}, the default, and {@code large}. */
public final class FakeClassifiers implements Classifiers {

    /** Names a network that takes images of two pixels. */
    public static final Map<String, String> LARGE = Map.of(MetadataKeys.NETWORK, "large");

    /** Memory that an image takes. */
    public static final long IMAGE_BYTES = 100;

    /** Number of open instances. */
    public final AtomicInteger open = new AtomicInteger();

    /** The maximum number of images in one call. */
    public final AtomicInteger mostImages = new AtomicInteger();

    private final ImageShape shape;

    /** Takes the shape of the images of {@code fake}. */
    public FakeClassifiers(ImageShape shape) {
        this.shape = shape;
    }

    @Override
    public ServedNetwork networkOf(TensorSet parameters) {
        String name = parameters.metadata().getOrDefault(MetadataKeys.NETWORK, "fake");
        if (!List.of("fake", "large").contains(name)) {
            throw new IllegalArgumentException("there is no network '%s'".formatted(name));
        }
        ImageShape taken = name.equals("large") ? new ImageShape(1, 1, 2) : shape;
        return new ServedNetwork(
                name,
                new ImageClassification(
                        List.of(taken.channels(), taken.height(), taken.width()), FakeClassifier.CLASSES),
                IMAGE_BYTES);
    }

    @Override
    public Classifier open(ServedNetwork network) {
        return new FakeClassifier(open, mostImages);
    }
}
