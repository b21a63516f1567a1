package org.fleetgrad.datasets.image;

import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * How files of images become samples.
 *
 * @param size        rows and columns, which the user chose
 * @param network     what the run's network takes, if there is a run
 * @param holdOut     share of each class that is held out if the dataset has no held-out images
 * @param skipsBroken whether files that cannot be read are left out, instead of refusing all
 */
public record ImageOptions(
        OptionalInt size, Optional<NetworkInput> network, OptionalDouble holdOut, boolean skipsBroken) {

    /** No options. */
    public static final ImageOptions NONE =
            new ImageOptions(OptionalInt.empty(), Optional.empty(), OptionalDouble.empty(), false);
}
