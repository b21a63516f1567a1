package org.fleetgrad.pipeline.timeline;

import java.util.Comparator;
import java.util.List;

/**
 * What all stages did in an interval of time. Immutable and thread-safe.
 *
 * @param stages number of stages, 1 or more
 * @param spans  in the order of stage and start; those of one stage do not overlap
 */
public record Timeline(int stages, List<Span> spans) {

    public Timeline {
        spans = spans.stream()
                .sorted(Comparator.comparingInt(Span::stage).thenComparingLong(Span::start))
                .toList();
        if (spans.stream().anyMatch(span -> span.stage() < 0 || span.stage() >= stages)) {
            throw new IllegalArgumentException("a span belongs to none of the %d stages".formatted(stages));
        }
    }

    /** Returns the spans of one stage, in the order of time. */
    public List<Span> of(int stage) {
        return spans.stream().filter(span -> span.stage() == stage).toList();
    }

    /** Returns when the first span starts; 0 if there is none. */
    public long start() {
        return spans.stream().mapToLong(Span::start).min().orElse(0);
    }

    /** Returns when the last span ends; 0 if there is none. */
    public long end() {
        return spans.stream().mapToLong(Span::end).max().orElse(0);
    }

    /** Returns the time from the first start to the last end. */
    public long makespan() {
        return end() - start();
    }

    /** Returns the share of all stages' time in which they were idle, from 0 to 1. */
    public double bubble() {
        return bubble(spans, stages);
    }

    /** Returns the share of the time in which one stage was idle, from 0 to 1. */
    public double bubble(int stage) {
        return bubble(of(stage), 1);
    }

    private double bubble(List<Span> some, int rows) {
        long whole = makespan() * rows;
        long busy = some.stream().mapToLong(Span::duration).sum();
        return whole == 0 ? 0 : 1 - (double) busy / (double) whole;
    }
}
