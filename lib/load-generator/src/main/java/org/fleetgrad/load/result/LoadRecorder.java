package org.fleetgrad.load.result;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Collects the requests of a run: adds them up by phase and over time, and hands each to a sink. Thread-safe. */
public final class LoadRecorder {

    private final Consumer<LoadRow> sink;
    private final Tally all = new Tally();
    private final List<Tally> phases = new ArrayList<>();
    private final List<Double> phaseBegins = new ArrayList<>();
    private final TimeCourse course;
    private final double beginMs;

    /** Makes an empty one of a run that begins then, in ms since 1970; the sink receives one request after the other. */
    public LoadRecorder(double beginMs, Consumer<LoadRow> sink) {
        this.beginMs = beginMs;
        this.sink = sink;
        this.course = new TimeCourse(beginMs);
    }

    public synchronized void add(LoadRow row) {
        while (phases.size() <= row.phase()) {
            phases.add(new Tally());
            phaseBegins.add(Double.POSITIVE_INFINITY);
        }
        phases.get(row.phase()).add(row);
        phaseBegins.set(row.phase(), Math.min(phaseBegins.get(row.phase()), (row.dueMs() - beginMs) / 1_000));
        all.add(row);
        course.add(row);
        sink.accept(row);
    }

    /** Returns the figures of one phase so far; empty before its first request. */
    public synchronized LoadFigures phase(int phase) {
        return phase < phases.size() ? phases.get(phase).figures() : new Tally().figures();
    }

    /** Returns what has happened so far. */
    public synchronized LoadResult result() {
        return new LoadResult(
                all.figures(),
                phases.stream().map(Tally::figures).toList(),
                List.copyOf(phaseBegins),
                course.points(),
                course.widthSeconds());
    }
}
