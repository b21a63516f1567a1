package org.fleetgrad.inference.web;

import org.fleetgrad.files.statistics.WilsonInterval;
import org.fleetgrad.inference.feedback.LiveFigures;
import org.jspecify.annotations.Nullable;

/** How good a version was by the labels that came later; {@code openapi.yaml} explains each member. */
record LiveReply(
        long samples,
        @Nullable Double accuracy,
        @Nullable Double low,
        @Nullable Double high,
        @Nullable Double mae,
        @Nullable Double rmse) {

    static LiveReply of(LiveFigures figures) {
        return new LiveReply(
                figures.samples(),
                figures.accuracy().orElse(null),
                figures.interval().map(WilsonInterval::low).orElse(null),
                figures.interval().map(WilsonInterval::high).orElse(null),
                figures.mae().orElse(null),
                figures.rmse().orElse(null));
    }
}
