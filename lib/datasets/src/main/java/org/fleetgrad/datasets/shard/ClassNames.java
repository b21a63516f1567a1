package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.stream.IntStream;

/** What the labels of the published datasets mean. */
public final class ClassNames {

    private static final List<String> FASHION_MNIST = List.of(
            "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot");

    private ClassNames() {}

    /** Returns the classes of a dataset known by name, or numbers from 0 to {@code largestLabel}. */
    public static List<String> of(String dataset, int largestLabel) {
        if (dataset.equals("fashion-mnist") && largestLabel < FASHION_MNIST.size()) {
            return FASHION_MNIST;
        }
        return IntStream.rangeClosed(0, largestLabel)
                .mapToObj(Integer::toString)
                .toList();
    }
}
