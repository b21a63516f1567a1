package org.fleetgrad.runs.settings;

import java.util.Optional;
import org.fleetgrad.datasets.augment.Augmentation;
import org.fleetgrad.networks.Networks;

/**
 * What a run trains, and on what device.
 *
 * @param network      such as {@code resnet20}; if it is absent, the resume source names it, or else it is
 *     {@value Networks#DEFAULT}
 * @param devices      of the workers
 * @param augmentation how training images are changed at random
 */
public record NetworkSettings(Optional<String> network, DeviceSettings devices, Augmentation augmentation) {

    /** LeNet-5 on the processor. */
    public static final NetworkSettings DEFAULT =
            new NetworkSettings(Optional.empty(), DeviceSettings.CPU, Augmentation.NONE);

    /** Returns the same settings with a network of another name. */
    public NetworkSettings with(String other) {
        return new NetworkSettings(Optional.of(other), devices, augmentation);
    }
}
