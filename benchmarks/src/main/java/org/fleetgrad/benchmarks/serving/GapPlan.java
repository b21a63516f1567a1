package org.fleetgrad.benchmarks.serving;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * What to compare.
 *
 * @param samples   samples that each training sees, however many batches make a version
 * @param intervals batches of a version
 * @param gaps      versions between the two workers
 * @param pairs     pairs of versions for each gap
 * @param images    held-out images that both workers are asked about
 */
record GapPlan(long samples, List<Integer> intervals, List<Integer> gaps, int pairs, int images) {

    GapPlan {
        int widest = gaps.stream().mapToInt(Integer::intValue).max().orElse(0);
        for (int interval : intervals) {
            long last = last(samples, interval);
            if (newer(last, pairs - 1, pairs) < widest) {
                throw new IllegalArgumentException(
                        "%d samples make %d versions of %d batches; a gap of %d versions in their second half takes more"
                                .formatted(samples, last, interval, widest));
            }
        }
    }

    private static long last(long samples, int interval) {
        return samples / ((long) LocalTraining.BATCH * interval);
    }

    private static long newer(long last, int pair, int pairs) {
        return last - pair * (last / 2) / pairs;
    }

    /** Returns the last version of a training with this interval. */
    long last(int interval) {
        return last(samples, interval);
    }

    /** Returns the newer version of each pair, the newest first: evenly over the second half of the training. */
    List<Long> newer(int interval) {
        long last = last(interval);
        return IntStream.range(0, pairs)
                .mapToObj(pair -> newer(last, pair, pairs))
                .toList();
    }

    boolean isNeeded(int interval, long version) {
        return newer(interval).stream()
                .flatMapToLong(newer -> gaps.stream().flatMapToLong(gap -> LongStream.of(newer - gap)))
                .anyMatch(needed -> needed == version);
    }
}
