package org.fleetgrad.benchmarks.modes;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The activations of a cell: every shard once an epoch, and again where it was killed. Safe from several threads. */
final class ActivationQueue {

    /**
     * One activation's work.
     *
     * @param index   its number among the pieces of work
     * @param epoch   pass over the dataset
     * @param shard   the samples
     * @param attempt how often it was killed before
     */
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

    /** Takes the next piece, waiting while another worker may yet die with the last one; nothing where all is done. */
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

    /** Takes back what was killed; it is the next to be done, unless nothing is. */
    synchronized void giveBack(Work killed) {
        if (!isAbandoned) {
            open.addFirst(killed.again());
        }
        done();
    }

    /** Hands out nothing more. */
    synchronized void abandon() {
        isAbandoned = true;
        open.clear();
        notifyAll();
    }
}
