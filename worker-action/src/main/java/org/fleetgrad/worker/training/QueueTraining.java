package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.Objects;
import java.util.Optional;
import org.fleetgrad.client.ProblemException;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.protocol.messages.NextShardReply;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.Cursor;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import org.fleetgrad.worker.training.Pace.Operation;
import org.fleetgrad.worker.training.TrainingLoop.End;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.jspecify.annotations.Nullable;

/**
 * Trains on the shards that the server hands out, one after the other, each from the place that gradients have reached.
 * When the worker leaves, its unfinished shard is free for others.
 */
final class QueueTraining {

    private final TrainingTask task;
    private final Tools tools;
    private final int limit;
    private final Pace pace;
    private final ParameterExchange exchange;
    private final TrainingLoop loop;
    private @Nullable DatasetDescription dataset;
    private @Nullable Held held;
    private Optional<Cursor> place = Optional.empty();
    private boolean isJoined;
    private int whole;
    private long bytes;

    /** The shard that was fetched last. */
    private record Held(int index, ShardSource.Fetched data) {}

    QueueTraining(TrainingTask task, Tools tools, int limit) {
        this.task = task;
        this.tools = tools;
        this.limit = limit;
        this.pace = tools.pace();
        this.exchange = task.exchange(tools, this::initial);
        this.loop = task.loop(tools, exchange);
    }

    private TensorSet initial() {
        return task.initial(tools, Objects.requireNonNull(dataset));
    }

    TrainingReport run() throws IOException, TrainingFailedException, ShardUnavailableException {
        String work;
        try (loop) {
            exchange.register();
            work = train();
        } catch (TrainingFailedException | ShardUnavailableException | ProblemException failed) {
            // The server answers, so leave: others can then go on with the shard at once, not only after the lease.
            exchange.leave();
            throw failed;
        }
        exchange.leave();
        return TrainingReport.of(exchange.tally(), loop, bytes)
                .with(whole, work.equals(TrainingReport.DONE), work, place);
    }

    /** Returns what is left of the work: {@code done}, {@code wait} or {@code more}. */
    private String train() throws IOException, TrainingFailedException, ShardUnavailableException {
        while (!tools.stop().getAsBoolean() && pace.hasTimeForAShard(task.deadline())) {
            NextShardReply next = exchange.nextShard();
            if (!next.state().equals(NextShardReply.SHARD)) {
                return next.state();
            }
            Cursor cursor = cursor(next);
            place = Optional.of(cursor);
            if (pass(next, cursor) == End.STOPPED || (limit > 0 && whole == limit)) {
                return TrainingReport.MORE;
            }
        }
        return TrainingReport.MORE;
    }

    private End pass(NextShardReply next, Cursor cursor)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        ShardSource.Fetched data = fetch(next, cursor);
        if (!isJoined) {
            loop.load(exchange.pull());
            isJoined = true;
        }
        BatchSampler sampler = new BatchSampler(data.shard().samples().count(), task.batchSize(), task.seed());
        End end = loop.pass(data.shard(), sampler.epoch(cursor.epoch()), Optional.of(cursor));
        place = Optional.of(loop.reached().orElse(cursor));
        whole += end == End.WHOLE ? 1 : 0;
        return end;
    }

    private ShardSource.Fetched fetch(NextShardReply next, Cursor cursor)
            throws TrainingFailedException, ShardUnavailableException {
        Held before = held;
        if (before != null && before.index() == cursor.shard()) {
            return before.data();
        }
        // Drop the old shard before the new one is read: the worker has little memory.
        held = null;
        long begin = pace.begin();
        ShardSource.Fetched data = tools.shards().fetch(String.valueOf(next.url()));
        pace.end(Operation.FETCH, begin);
        bytes += data.bytes();
        DatasetDescription description = data.shard().description();
        TrainingTask.requireMatch(tools.network(), description);
        long stated = Objects.requireNonNullElse(next.samples(), 0L);
        if (data.shard().samples().count() != stated) {
            throw new TrainingFailedException(
                    "the shard '%s' has %d samples, the run's work states %d: another dataset lies there"
                            .formatted(next.name(), data.shard().samples().count(), stated),
                    null);
        }
        dataset = description;
        held = new Held(cursor.shard(), data);
        return data;
    }

    private static Cursor cursor(NextShardReply next) throws IOException {
        if (next.epoch() == null || next.shard() == null || next.sample() == null || next.url() == null) {
            throw new IOException("the server answered a shard without its place: " + next);
        }
        return new Cursor(next.epoch(), next.shard(), next.sample());
    }
}
