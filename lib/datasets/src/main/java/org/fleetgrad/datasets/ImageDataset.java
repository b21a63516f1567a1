package org.fleetgrad.datasets;

import java.util.List;

/**
 * A dataset of images in memory.
 *
 * @param name    of the dataset
 * @param classes name of each class, in the order of the labels
 * @param train   the training samples
 * @param test    the held-out samples
 * @param notes   what the user should know of how the files were read
 */
public record ImageDataset(String name, List<String> classes, ImageSamples train, ImageSamples test, List<String> notes)
        implements Dataset {

    /** Makes a dataset without notes. */
    public ImageDataset(String name, List<String> classes, ImageSamples train, ImageSamples test) {
        this(name, classes, train, test, List.of());
    }

    /**
     * Checks that both splits fit the classes and each other.
     *
     * @throws IllegalArgumentException if the name or the classes break their rules, a label has no class, or the images
     *     of the two splits differ in shape
     */
    public ImageDataset {
        DatasetName.require(name);
        classes = List.copyOf(classes);
        notes = List.copyOf(notes);
        ClassNames.require(classes);
        int largest = Math.max(train.largestLabel(), test.largestLabel());
        if (largest >= classes.size()) {
            throw new IllegalArgumentException(
                    "the largest label of %s is %d, there are %d classes".formatted(name, largest, classes.size()));
        }
        if (!train.shape().equals(test.shape())) {
            throw new IllegalArgumentException(
                    "training images have the shape %s, test images %s".formatted(train.shape(), test.shape()));
        }
    }

    @Override
    public ImageSchema schema() {
        return new ImageSchema(classes, train.shape(), Normalization.of(train));
    }
}
