package org.fleetgrad.client.fake;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardReply;
import org.fleetgrad.protocol.work.Cursor;

/** The server's work in its plainest form: one shard after the other, for one worker. */
public final class FakeWork {

    private record Planned(String name, Path file, long samples) {}

    private final List<Planned> shards = new ArrayList<>();
    private final List<Cursor> reached = new ArrayList<>();
    private final long epochs;
    private Cursor next = new Cursor(0, 0, 0);
    private final Map<Long, Planned> others = new HashMap<>();
    private boolean isTaken;
    private int looksBefore;

    public FakeWork(long epochs) {
        this.epochs = epochs;
    }

    public FakeWork with(Path file, long samples) {
        shards.add(new Planned("shard-" + shards.size(), file, samples));
        return this;
    }

    /** In an epoch, the first index is that of another shard, as those of added shards are in turn. */
    public FakeWork instead(long epoch, Path file, long samples) {
        others.put(epoch, new Planned("other-" + epoch, file, samples));
        return this;
    }

    private Planned planned(Cursor cursor) {
        Optional<Planned> other = Optional.ofNullable(others.get(cursor.epoch()));
        return cursor.shard() == 0 && other.isPresent() ? other.get() : shards.get(cursor.shard());
    }

    /** The work exists only after a worker has polled for it this many times. */
    public synchronized FakeWork putAfter(int looks) {
        looksBefore = looks;
        return this;
    }

    synchronized boolean isPut() {
        return looksBefore == 0 || looksBefore-- == 0;
    }

    /** Moves the worker's position, like a server that has lost its shard or reassigned it. */
    public synchronized void moveTo(Cursor other) {
        next = other;
    }

    /** Assigns all remaining work to other workers. */
    public synchronized void takeAway() {
        isTaken = true;
    }

    /** The position that each counted gradient has reached. */
    public synchronized List<Cursor> reached() {
        return List.copyOf(reached);
    }

    synchronized NextShardReply hand() {
        boolean isDone = next.epoch() == epochs;
        if (isTaken || isDone) {
            String state = isDone ? NextShardReply.DONE : NextShardReply.WAIT;
            return new NextShardReply(200, state, null, null, null, null, null, null);
        }
        Planned shard = planned(next);
        return new NextShardReply(
                200,
                NextShardReply.SHARD,
                next.epoch(),
                next.shard(),
                next.sample(),
                shard.samples(),
                shard.name(),
                shard.file().toString());
    }

    /** Returns whether the gradient continues the work. */
    synchronized boolean isNext(GradientMetadata metadata) {
        Optional<Cursor> after = metadata.cursor();
        return after.isEmpty() || after.get().equals(next.plus(metadata.samples()));
    }

    synchronized void advance(Cursor after) {
        reached.add(after);
        next = after;
        if (after.sample() == planned(after).samples()) {
            boolean isLast = after.shard() + 1 == shards.size();
            next = new Cursor(after.epoch() + (isLast ? 1 : 0), isLast ? 0 : after.shard() + 1, 0);
        }
    }
}
