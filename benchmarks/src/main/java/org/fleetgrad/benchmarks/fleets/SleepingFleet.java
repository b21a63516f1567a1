package org.fleetgrad.benchmarks.fleets;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.benchmarks.training.ThrottledLink;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Several sleeping workers, each behind a link of its own, at a server behind a link that they share.
 *
 * @param workers     how many
 * @param encoding    of gradients and of parameters
 * @param step        how long a batch takes
 * @param bitsASecond of each link, in each direction
 */
record SleepingFleet(int workers, String encoding, Duration step, double bitsASecond) {

    /** By which share a batch takes less or longer, at most: without it the order of the messages never changes. */
    private static final double SPREAD = 0.1;

    private static final Duration WARM_UP = Duration.ofSeconds(2);

    /** Returns the batches a second of all workers together in so long a time. */
    double batchesASecond(URI server, TensorLayout layout, Duration time) throws Exception {
        List<ThrottledLink> links = new ArrayList<>();
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            ThrottledLink shared = new ThrottledLink(server, bitsASecond);
            links.add(shared);
            List<SleepingWorker> all = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                ThrottledLink own = new ThrottledLink(shared.address(), bitsASecond);
                links.add(own);
                all.add(new SleepingWorker(own.address(), layout, encoding));
            }
            long begin = System.nanoTime() + WARM_UP.toNanos();
            long end = begin + time.toNanos();
            List<Future<Double>> rates = new ArrayList<>();
            for (SleepingWorker worker : all) {
                Random random = new Random(rates.size());
                rates.add(threads.submit(() -> rate(worker, random, begin, end)));
            }
            double sum = 0;
            for (Future<Double> rate : rates) {
                sum += rate.get();
            }
            return sum;
        } finally {
            threads.shutdownNow();
            for (ThrottledLink link : links) {
                link.close();
            }
        }
    }

    /** Returns one worker's batches a second between two times, counted from the end of a batch to the end of another. */
    private double rate(SleepingWorker worker, Random random, long begin, long end) throws Exception {
        while (System.nanoTime() < begin) {
            worker.step(step(random));
        }
        long first = System.nanoTime();
        long before = worker.steps();
        long last = first;
        while (last < end) {
            worker.step(step(random));
            last = System.nanoTime();
        }
        worker.leave();
        return (worker.steps() - before) / ((last - first) / 1e9);
    }

    private Duration step(Random random) {
        return Duration.ofNanos((long) ((1 + SPREAD * (2 * random.nextDouble() - 1)) * step.toNanos()));
    }
}
