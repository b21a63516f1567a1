package org.fleetgrad.datasets.shard;

import java.util.List;
import java.util.stream.IntStream;

/** The names of the classes of the published datasets. */
public final class ClassNames {

    private static final List<String> FASHION_MNIST = List.of(
            "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat", "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot");

    private ClassNames() {}

    /** Returns the class names of a known dataset; for another dataset, the numbers from 0 to {@code largestLabel}. */
    public static List<String> of(String dataset, int largestLabel) {
        if (dataset.equals("fashion-mnist") && largestLabel < FASHION_MNIST.size()) {
            return FASHION_MNIST;
        }
        return IntStream.rangeClosed(0, largestLabel)
                .mapToObj(Integer::toString)
                .toList();
    }
}
