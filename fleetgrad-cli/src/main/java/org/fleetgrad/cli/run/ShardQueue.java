package org.fleetgrad.cli.run;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The work of a run: every shard once an epoch, epoch after epoch. Workers take what comes next, so that a faster one
 * simply takes more. Safe from several threads.
 */
final class ShardQueue {

    /** One activation's work. */
    record Work(int epoch, Path shard) {}

    private final List<Path> shards;
    private final int epochs;
    private long next;
    private boolean isOpen = true;

    /**
     * @param epochs passes over all shards; 0 for no end
     */
    ShardQueue(List<Path> shards, int epochs) {
        this.shards = List.copyOf(shards);
        this.epochs = epochs;
    }

    /** Takes the next piece; nothing where all is taken, or the queue is paused. */
    synchronized Optional<Work> take() {
        int epoch = (int) (next / shards.size());
        if (!isOpen || (epochs > 0 && epoch >= epochs)) {
            return Optional.empty();
        }
        return Optional.of(new Work(epoch, shards.get((int) (next++ % shards.size()))));
    }

    /** Hands out nothing more until {@link #resume}. */
    synchronized void pause() {
        isOpen = false;
    }

    /** Hands out work again; tells whether there is any left. */
    synchronized boolean resume() {
        isOpen = true;
        return epochs == 0 || next < (long) epochs * shards.size();
    }
}
