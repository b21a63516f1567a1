package org.fleetgrad.load.result;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalDouble;

/**
 * The figures of a phase, or of a complete run. Latencies are those of the requests that were answered; they are 0 if none
 * was.
 *
 * @param clients         clients that sent at least one request
 * @param requests        requests that ended, failed ones too
 * @param failed          requests without a usable response
 * @param p50Ms           half of the responses took no longer, in ms; less than 0.1% too large, as the next two are
 * @param p90Ms           90% took no longer
 * @param p99Ms           99% took no longer
 * @param maxMs           the longest, exact
 * @param seconds         from the first request until the end of the last
 * @param perSecond       answered requests per second
 * @param imagesPerSecond answered images per second
 * @param right           images whose predicted class is their label
 * @param images          images that were answered
 * @param repeated        images that were answered by a version that had answered them before
 * @param differing       those of them to which it gave another class
 * @param versionsSeen    different versions that answered
 * @param failures        failed requests by reason, the most frequent first
 */
public record LoadFigures(
        int clients,
        long requests,
        long failed,
        double p50Ms,
        double p90Ms,
        double p99Ms,
        double maxMs,
        double seconds,
        double perSecond,
        double imagesPerSecond,
        long right,
        long images,
        long repeated,
        long differing,
        int versionsSeen,
        Map<String, Long> failures) {

    public LoadFigures {
        failures = Collections.unmodifiableMap(new LinkedHashMap<>(failures));
    }

    /** Returns the share of correct answers; empty if nothing was answered. */
    public OptionalDouble accuracy() {
        return images == 0 ? OptionalDouble.empty() : OptionalDouble.of((double) right / images);
    }
}
