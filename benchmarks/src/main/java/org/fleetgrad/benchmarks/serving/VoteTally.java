package org.fleetgrad.benchmarks.serving;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.LongStream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;

/** Counts an ensemble's answers by the gap between the versions that voted. Thread-safe. */
final class VoteTally {

    private final TreeMap<Long, long[]> byGap = new TreeMap<>();

    /** Adds an answer of an ensemble, if more than one worker voted; throws if workers with one version disagree. */
    synchronized void add(JsonNode reply) {
        long[] versions = StreamSupport.stream(reply.path("members").spliterator(), false)
                .mapToLong(member -> member.path("version").asLong())
                .toArray();
        if (versions.length < 2) {
            return;
        }
        long gap = LongStream.of(versions).max().orElseThrow()
                - LongStream.of(versions).min().orElseThrow();
        long disagreed = reply.path("disagreed").asLong();
        if (gap == 0 && disagreed > 0) {
            throw new IllegalStateException(
                    "%d workers with version %d disagree on %d images: equal versions must answer equally"
                            .formatted(versions.length, versions[0], disagreed));
        }
        long[] counts = byGap.computeIfAbsent(gap, unused -> new long[2]);
        counts[0] += reply.path("predictions").size();
        counts[1] += disagreed;
    }

    /** Returns the counts, the smallest gap first. */
    synchronized List<Places.Votes> figures() {
        List<Places.Votes> figures = new ArrayList<>();
        byGap.forEach((gap, counts) -> figures.add(new Places.Votes(gap, counts[0], counts[1])));
        return figures;
    }
}
