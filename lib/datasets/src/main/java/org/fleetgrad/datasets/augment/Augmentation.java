package org.fleetgrad.datasets.augment;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.networks.Task;
import org.fleetgrad.networks.Task.ImageClassification;

/** How training images are changed at random each time they are used. */
public enum Augmentation {
    /** Not at all. */
    NONE("none"),

    /**
     * Reflected 4 pixels over each edge, then a crop of the image's own size at a random place, then mirrored left to right
     * with probability 1/2: the augmentation of He et al., "Deep Residual Learning for Image Recognition" (2016), section
     * 4.2, but with a reflection in place of their zeros.
     */
    PAD_CROP_FLIP("pad-crop-flip");

    /** Pixels that {@link #PAD_CROP_FLIP} adds on each side. */
    public static final int PADDING = 4;

    private final String label;

    Augmentation(String label) {
        this.label = label;
    }

    /** Returns the name used in settings. */
    public String label() {
        return label;
    }

    /** Finds an augmentation by its label. */
    public static Optional<Augmentation> named(String label) {
        return Arrays.stream(values())
                .filter(augmentation -> augmentation.label.equals(label))
                .findFirst();
    }

    /** Returns the labels of all augmentations. */
    public static List<String> labels() {
        return Arrays.stream(values()).map(Augmentation::label).toList();
    }

    /**
     * Binds this augmentation to an epoch of a run and to a shard.
     *
     * @param seed        of the run
     * @param epoch       number of the epoch
     * @param firstSample index, in the whole split, of the shard's first sample
     */
    public ImageChanges during(long seed, long epoch, long firstSample) {
        return new ImageChanges(this, seed, epoch, firstSample);
    }

    /**
     * Checks that samples can be changed so.
     *
     * @throws IllegalArgumentException if this changes images and they are none, or are too small
     */
    public void requireFits(Task task) {
        if (task instanceof ImageClassification images) {
            requireFits(images.image().get(1), images.image().get(2));
        } else if (this != NONE) {
            throw new IllegalArgumentException("the augmentation %s changes images; these are %s; use %s"
                    .formatted(label, task.samples(), NONE.label));
        }
    }

    /**
     * Checks that images are large enough.
     *
     * @throws IllegalArgumentException if an edge is not longer than the padding, which reflects it without its last pixel
     */
    public void requireFits(int height, int width) {
        if (this == PAD_CROP_FLIP && Math.min(height, width) <= PADDING) {
            throw new IllegalArgumentException(
                    "the augmentation %s needs images of at least %d x %d pixels; these have %d x %d; use %s"
                            .formatted(label, PADDING + 1, PADDING + 1, height, width, NONE.label));
        }
    }
}
