package org.fleetgrad.runs.device;

import java.util.List;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.settings.DeviceSettings;

/** GPUs of a machine that need not have any. */
public final class ExampleGpus {

    private ExampleGpus() {}

    /**
     * Returns those of a run.
     *
     * @param device value of {@code --device}
     * @param names  that the driver gives the machine's GPUs
     */
    public static RunGpus of(String device, String... names) throws RunFailedException {
        return RunGpus.of(DeviceSettings.parse(device), new VisibleGpus(List.of(names), "the example has some"));
    }
}
