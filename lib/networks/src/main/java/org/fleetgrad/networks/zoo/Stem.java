package org.fleetgrad.networks.zoo;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.fleetgrad.networks.NetworkName;

/** The first layers of a ResNet. */
enum Stem {
    /** 3×3 of stride 1: a small image keeps its size. */
    CIFAR,
    /** 7×7 of stride 2, and a max-pooling: a quarter of each side. */
    IMAGENET;

    /** The argument. */
    static final String KEY = "stem";

    private static final int SMALL = 64;

    /** Returns the stem for images of a shape: CIFAR's up to 64 pixels a side. */
    static Stem usual(List<Integer> input) {
        return isSmall(input) ? CIFAR : IMAGENET;
    }

    /** Returns whether images are small: at most 64 pixels a side. */
    static boolean isSmall(List<Integer> input) {
        return Math.max(input.get(1), input.get(2)) <= SMALL;
    }

    /** Returns the stem in a name's argument. */
    static Stem of(NetworkName name) {
        String word = name.choice(KEY, Arrays.stream(values()).map(Stem::word).toList());
        return word.equals(CIFAR.word()) ? CIFAR : IMAGENET;
    }

    /** Returns the argument's value. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
