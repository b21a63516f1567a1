package org.fleetgrad.cli.settings;

import java.util.Optional;
import org.fleetgrad.datasets.augment.Augmentation;

/**
 * What a run trains, and on what device.
 *
 * @param network      such as {@code resnet20}; if it is absent, what the run resumes from names it, or else it is
 *     {@value #DEFAULT_NETWORK}
 * @param device       of the workers: {@code cpu} or {@code cuda:0}
 * @param augmentation how training images are changed at random
 */
public record NetworkSettings(Optional<String> network, String device, Augmentation augmentation) {

    /** What a run trains if nobody says anything. */
    public static final String DEFAULT_NETWORK = "lenet5";

    /** LeNet-5 on the processor. */
    public static final NetworkSettings DEFAULT = new NetworkSettings(Optional.empty(), "cpu", Augmentation.NONE);
}
