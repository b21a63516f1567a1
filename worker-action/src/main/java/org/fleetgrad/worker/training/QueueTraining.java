package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.datasets.sampling.BatchSampler.Epoch;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.protocol.messages.WorkMessages.NextShardReply;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.TimeBudget.Operation;
import org.fleetgrad.worker.training.TrainingLoop.End;
import org.fleetgrad.worker.training.TrainingReport.Received;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.fleetgrad.worker.training.TrainingTask.Trained;
import org.jspecify.annotations.Nullable;

/**
 * Trains on the shards that the server assigns, one after the other, each from the position that gradients have reached. When
 * the worker leaves, its unfinished shard is free for others.
 */
final class QueueTraining {

    private final TrainingTask task;
    private final Tools tools;
    private final int limit;
    private final TimeBudget budget;
    private final WorkerRegistration registration;
    private Optional<Trained> trained = Optional.empty();
    private @Nullable FetchedShard fetched;
    private Optional<Cursor> reached = Optional.empty();
    private int completedPasses;
    private long bytes;
    private long fetchNanos;

    /** The shard that was fetched last. Those that are added to the work have the same index in turn, so its name tells it, too. */
    private record FetchedShard(int index, String name, ShardSource.Fetched data) {}

    QueueTraining(TrainingTask task, Tools tools, int limit) {
        this.task = task;
        this.tools = tools;
        this.limit = limit;
        this.budget = tools.budget();
        this.registration = new WorkerRegistration(tools.client(), task.identity(), task.transfer());
    }

    TrainingReport run() throws IOException, TrainingFailedException, ShardUnavailableException {
        String work;
        try {
            registration.begin();
            work = train();
        } catch (TrainingFailedException
                | ShardUnavailableException
                | ProblemException
                | IllegalArgumentException failed) {
            // The server answers, so unregister: others can then continue the shard at once, not only after the lease
            // expires.
            close();
            registration.end();
            throw failed;
        } finally {
            close();
        }
        registration.end();
        return trained.map(ran -> TrainingReport.of(
                        registration, ran, new Received(bytes, fetchNanos), completedPasses, work, reached))
                .orElseGet(() -> TrainingReport.idle(registration, work));
    }

    private void close() {
        trained.ifPresent(ran -> ran.loop().close());
    }

    /** Returns the state of the remaining work: {@code done}, {@code wait} or {@code more}. */
    private String train() throws IOException, TrainingFailedException, ShardUnavailableException {
        while (!tools.stop().getAsBoolean()
                && budget.hasTimeForAShard(task.identity().deadline())) {
            NextShardReply next = registration.nextShard();
            if (!next.state().equals(NextShardReply.SHARD)) {
                return next.state();
            }
            Cursor cursor = cursor(next);
            reached = Optional.of(cursor);
            if (pass(next, cursor) == End.STOPPED || (limit > 0 && completedPasses == limit)) {
                return TrainingReport.MORE;
            }
        }
        return TrainingReport.MORE;
    }

    private End pass(NextShardReply next, Cursor cursor)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        ShardSource.Fetched data = fetch(next, cursor);
        TrainingLoop loop = prepared(data.shard().description()).loop();
        Epoch order = task.sampler(data.shard()).epoch(cursor.epoch());
        End end = loop.pass(data.shard(), cursor.epoch(), order, Optional.of(cursor));
        reached = Optional.of(loop.reached().orElse(cursor));
        completedPasses += end == End.COMPLETED ? 1 : 0;
        return end;
    }

    private Trained prepared(DatasetDescription dataset) throws IOException, TrainingFailedException {
        if (trained.isPresent()) {
            NetworkChoice.requireMatch(trained.get().network(), dataset);
            return trained.get();
        }
        Trained begun = task.begin(tools, registration, dataset);
        trained = Optional.of(begun);
        begun.loop().load(begun.exchange().pull());
        return begun;
    }

    private ShardSource.Fetched fetch(NextShardReply next, Cursor cursor)
            throws TrainingFailedException, ShardUnavailableException {
        FetchedShard before = fetched;
        if (before != null && before.index() == cursor.shard() && before.name().equals(next.name())) {
            return before.data();
        }
        // Drop the old shard before the new one is read: the worker has little memory.
        fetched = null;
        long begin = budget.nanos();
        ShardSource.Fetched data = tools.shards().fetch(String.valueOf(next.url()));
        fetchNanos += budget.end(Operation.FETCH, begin);
        bytes += data.bytes();
        long stated = Objects.requireNonNullElse(next.samples(), 0L);
        if (data.shard().samples().count() != stated) {
            throw new TrainingFailedException(
                    "the shard '%s' has %d samples, the run's work states %d: another dataset lies there"
                            .formatted(next.name(), data.shard().samples().count(), stated));
        }
        fetched = new FetchedShard(cursor.shard(), String.valueOf(next.name()), data);
        return data;
    }

    private static Cursor cursor(NextShardReply next) throws IOException {
        if (next.epoch() == null || next.shard() == null || next.sample() == null || next.url() == null) {
            throw new IOException("the server answered a shard without its place: " + next);
        }
        return new Cursor(next.epoch(), next.shard(), next.sample());
    }
}
