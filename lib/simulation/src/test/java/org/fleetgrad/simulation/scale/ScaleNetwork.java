package org.fleetgrad.simulation.scale;

import java.time.Duration;

/** Networks of docs/scale.md, with the step that a worker with one processor was measured to take (docs/performance.md). */
enum ScaleNetwork {
    RESNET20("ResNet-20, 110 ms a step", 272_474, 110),
    RESNET18("ResNet-18, 973 ms a step", 11_173_962, 973),
    GPT2("GPT-2 of 124 million parameters, 4.3 s a step", 124_439_808, 4_270),
    /** No such machine was measured: an assumption. */
    RESNET18_GPU("ResNet-18 where a step takes 20 ms, as on a GPU", 11_173_962, 20);

    private static final double NANOS_IN_MILLI = 1e6;

    private final String title;
    private final long parameters;
    private final double stepMillis;

    ScaleNetwork(String title, long parameters, double stepMillis) {
        this.title = title;
        this.parameters = parameters;
        this.stepMillis = stepMillis;
    }

    String title() {
        return title;
    }

    long parameters() {
        return parameters;
    }

    Duration step() {
        return Duration.ofNanos((long) (stepMillis * NANOS_IN_MILLI));
    }
}
