package org.fleetgrad.pipeline.schedule;

import java.util.Arrays;
import java.util.stream.Collectors;

/** The rule by which a stage decides, from its own counters alone, what it does next. {@link StageOrder} has the rules. */
public enum PipelineSchedule {
    /** One micro-batch at a time in the complete pipeline. No staleness, and the longest bubble. */
    SEQUENTIAL("sequential"),
    /**
     * All micro-batches of a step forward, then all backward. No staleness. Huang et al., "GPipe: Efficient training of
     * giant neural networks using pipeline parallelism", NeurIPS 2019.
     */
    GPIPE("gpipe"),
    /**
     * One forward, one backward inside each step, and the pipeline drains before the next. No staleness, and less memory
     * than {@link #GPIPE}. Narayanan et al., "Memory-efficient pipeline-parallel DNN training", ICML 2021
     * (PipeDream-Flush).
     */
    SYNC_1F1B("sync-1f1b"),
    /**
     * One forward, one backward, and the pipeline drains at the flush only. A gradient's staleness is up to one step per
     * later stage.
     */
    ASYNC_1F1B("1f1b"),
    /**
     * The order of PipeDream, as defined in its paper: a warm-up, then alternation. The same order as {@link #ASYNC_1F1B}.
     * Narayanan et al., "PipeDream: Generalized pipeline parallelism for DNN training", SOSP 2019.
     */
    PIPEDREAM("pipedream"),
    /** {@link #ASYNC_1F1B} with bounded staleness, at the price of a bubble. */
    VIRTUAL_1F1B("virtual-1f1b");

    private final String text;

    PipelineSchedule(String text) {
        this.text = text;
    }

    /** Returns the name used in settings. */
    public String text() {
        return text;
    }

    /** Returns whether every step uses gradients of the current weights only. */
    public boolean isSynchronous() {
        return this == SEQUENTIAL || this == GPIPE || this == SYNC_1F1B;
    }

    /**
     * Returns the schedule with this name.
     *
     * @throws IllegalArgumentException if there is none; the message lists them
     */
    public static PipelineSchedule of(String text) {
        return Arrays.stream(values())
                .filter(schedule -> schedule.text.equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no schedule '%s': write %s"
                        .formatted(
                                text,
                                Arrays.stream(values())
                                        .map(PipelineSchedule::text)
                                        .collect(Collectors.joining(", ")))));
    }
}
