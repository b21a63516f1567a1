package org.fleetgrad.benchmarks.modes;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The activations of a cell: every shard once an epoch, and again if its activation was killed. Thread-safe. */
final class ActivationQueue {

    /** The work of one activation; {@code attempt} is the number of earlier attempts, all killed. */
    record Work(int index, int epoch, Path shard, int attempt) {

        private Work again() {
            return new Work(index, epoch, shard, attempt + 1);
        }
    }

    private final Deque<Work> open = new ArrayDeque<>();
    private int inHand;
    private boolean isAbandoned;

    ActivationQueue(List<Path> shards, int epochs) {
        for (int epoch = 0; epoch < epochs; epoch++) {
            for (Path shard : shards) {
                open.add(new Work(open.size(), epoch, shard, 0));
            }
        }
    }

    /** Takes the next piece; empty if all is done. While others work on the last pieces, waits: one may be killed. */
    synchronized Optional<Work> take() throws InterruptedException {
        while (open.isEmpty() && inHand > 0) {
            wait();
        }
        if (open.isEmpty()) {
            return Optional.empty();
        }
        inHand++;
        return Optional.of(open.removeFirst());
    }

    synchronized void done() {
        inHand--;
        notifyAll();
    }

    /** Takes back the work of a killed activation; it is assigned next. */
    synchronized void giveBack(Work killed) {
        if (!isAbandoned) {
            open.addFirst(killed.again());
        }
        done();
    }

    synchronized void abandon() {
        isAbandoned = true;
        open.clear();
        notifyAll();
    }
}
