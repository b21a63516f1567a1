package org.fleetgrad.serving;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.tensor.TensorLayout;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.tensor.TensorSpec;

/**
 * Returns its one tensor as the logits of every image, so that an answer shows its version. Throws if two threads use
 * it at once or if it is used after close, both of which would corrupt libtorch.
 */
public final class FakeClassifier implements Classifier {

    /** Number of logits. */
    public static final int CLASSES = 4;

    /** Number of open instances. */
    public final AtomicInteger open;

    private static final TensorLayout LAYOUT = TensorLayout.canonical(List.of(TensorSpec.f32("w", CLASSES)));

    private final AtomicBoolean isBusy = new AtomicBoolean();
    private final float[] logits = new float[CLASSES];
    private final AtomicInteger mostImages;
    private boolean isClosed;

    public FakeClassifier(AtomicInteger open) {
        this(open, new AtomicInteger());
    }

    /** Also records the maximum number of images in one call. */
    FakeClassifier(AtomicInteger open, AtomicInteger mostImages) {
        this.open = open;
        this.mostImages = mostImages;
        open.incrementAndGet();
    }

    /** Returns a parameter set that makes {@code version % CLASSES} the answer, and states its version. */
    public static TensorSet parameters(ParameterVersion version, Map<String, String> metadata) {
        float[] values = new float[CLASSES];
        values[(int) (version.version() % CLASSES)] = 10;
        return TensorSet.ofFloats(LAYOUT, values, metadata);
    }

    @Override
    public void load(TensorSet parameters) {
        exclusively(() -> {
            // Overwrites half of the values before it refuses a set that does not fit: an answer from it now would be
            // wrong.
            Arrays.fill(logits, -1);
            parameters.copyFloats(LAYOUT, logits);
        });
    }

    @Override
    public float[] logits(float[] images, int count) {
        mostImages.accumulateAndGet(count, Math::max);
        float[] all = new float[count * CLASSES];
        exclusively(() -> {
            for (int i = 0; i < count; i++) {
                System.arraycopy(logits, 0, all, i * CLASSES, CLASSES);
            }
        });
        return all;
    }

    @Override
    public void close() {
        exclusively(() -> isClosed = true);
        open.decrementAndGet();
    }

    private void exclusively(Runnable action) {
        if (!isBusy.compareAndSet(false, true)) {
            throw new IllegalStateException("two threads at once");
        }
        if (isClosed) {
            throw new IllegalStateException("closed");
        }
        try {
            action.run();
        } finally {
            isBusy.set(false);
        }
    }
}
