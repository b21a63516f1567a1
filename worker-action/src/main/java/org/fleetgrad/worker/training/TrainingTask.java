package org.fleetgrad.worker.training;

import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.sampling.Sampling;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.NetworkSpec;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;

/**
 * One activation's training.
 *
 * @param learning    how it computes gradients
 * @param network     what to train if the server has no parameters yet
 * @param identity    how the worker introduces itself
 * @param transfer    how gradients and parameters are transferred
 */
public record TrainingTask(Learning learning, Optional<String> network, Identity identity, Transfer transfer) {

    /**
     * How a worker introduces itself to the server.
     *
     * @param wanted      the id to register under; if absent, the server generates one
     * @param description what the worker is, for people
     * @param device      what it computes on
     * @param deadline    when it will be killed, epoch milliseconds
     * @param activation  the platform's id of the activation, if there is a platform
     * @param address     where it answers predictions while it trains, if it does
     */
    public record Identity(
            Optional<String> wanted,
            String description,
            String device,
            OptionalLong deadline,
            Optional<String> activation,
            Optional<URI> address) {}

    /**
     * The tools of a training.
     *
     * @param client calls the servers
     * @param networks opens a network, or returns the one that is open already
     * @param shards fetches shards
     * @param budget   decides whether there is time for more
     * @param warm   what the container keeps from its last activation
     * @param stop   polled between batches: whether to stop
     * @param calls  runs calls while the worker computes on
     */
    public record Tools(
            ParameterServers client,
            Function<NetworkDefinition, Network> networks,
            ShardSource shards,
            TimeBudget budget,
            WarmState warm,
            BooleanSupplier stop,
            CallsBeside calls) {

        /** Tools with threads for the calls beside the training. */
        public Tools(
                ParameterServers client,
                Function<NetworkDefinition, Network> networks,
                ShardSource shards,
                TimeBudget budget,
                WarmState warm,
                BooleanSupplier stop) {
            this(client, networks, shards, budget, warm, stop, CallsBeside.THREADS);
        }
    }

    /**
     * Trains on one shard until all epochs are done or it is time to stop, and then unregisters.
     *
     * @param url    the shard
     * @param epochs passes over the shard
     * @param first  number of the first pass, which decides the order of its samples
     * @throws TrainingFailedException for what a retry would meet again
     * @throws IOException when the server stays away
     */
    public TrainingReport runShard(Tools tools, String url, int epochs, int first)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        long begin = tools.budget().nanos();
        ShardSource.Fetched data = tools.shards().fetch(url);
        long fetchNanos = tools.budget().nanos() - begin;
        DatasetDescription dataset = data.shard().description();
        WorkerRegistration registration = new WorkerRegistration(tools.client(), identity, transfer);
        Trained trained;
        int completedPasses = 0;
        try {
            registration.begin();
            trained = begin(tools, registration, dataset);
            try (TrainingLoop loop = trained.loop()) {
                loop.load(trained.exchange().pull());
                BatchSampler sampler = sampler(data.shard());
                while (completedPasses < epochs
                        && loop.pass(
                                        data.shard(),
                                        first + completedPasses,
                                        sampler.epoch(first + completedPasses),
                                        Optional.empty())
                                == TrainingLoop.End.COMPLETED) {
                    completedPasses++;
                }
            }
        } catch (TrainingFailedException | IllegalArgumentException failed) {
            // The server answers, so unregister: the server and the id need not wait for the lease to expire.
            registration.end();
            throw failed;
        }
        registration.end();
        return TrainingReport.of(
                registration,
                trained,
                new TrainingReport.Received(data.bytes(), fetchNanos),
                completedPasses,
                completedPasses == epochs ? TrainingReport.DONE : TrainingReport.MORE,
                Optional.empty());
    }

    /**
     * Trains on the shards that the server assigns until none is left, the limit is reached or it is time to stop; then
     * unregisters.
     *
     * @param limit maximum number of shards to finish; 0 for no limit
     * @throws TrainingFailedException for what a retry would meet again
     * @throws IOException when the server stays away
     */
    public TrainingReport runQueue(Tools tools, int limit)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        return new QueueTraining(this, tools, limit).run();
    }

    BatchSampler sampler(Shard shard) {
        if (learning.sampling() == Sampling.BALANCED) {
            int first = shard.description().range().first();
            return BatchSampler.balanced(shard.labels(), first, learning.batchSize(), learning.seed());
        }
        return new BatchSampler(shard.samples().count(), learning.batchSize(), learning.seed());
    }

    /** The network of a run, with what trains it. */
    record Trained(Network network, ParameterExchange exchange, TrainingLoop loop) {}

    /**
     * Opens the network of the run.
     *
     * @param registration already begun: the server has reported its network
     * @throws TrainingFailedException if that is not what this worker can or should train
     */
    Trained begin(Tools tools, WorkerRegistration registration, DatasetDescription dataset)
            throws TrainingFailedException {
        NetworkChoice choice = NetworkChoice.of(network, registration.network(), dataset, learning.seed());
        NetworkSpec spec = choice.definition().spec();
        learning.augmentation().requireFits(dataset.schema().task());
        FrozenTensors frozen = registration.frozen(spec);
        Network opened = tools.networks().apply(choice.definition());
        opened.freeze(frozen);
        ParameterExchange exchange = new ParameterExchange(
                registration,
                spec,
                frozen,
                choice,
                tools.warm()
                        .channel(
                                spec,
                                frozen,
                                transfer.gradients(),
                                tools.client().all().size()));
        Optional<TrainingLoop.Inner> local = registration
                .localSteps()
                .map(steps -> new TrainingLoop.Inner(steps, tools.warm().inner(steps, spec, opened.trainable())));
        LeaseRenewal lease = new LeaseRenewal(registration, tools.budget()::nanos, tools.calls());
        return new Trained(opened, exchange, loop(tools, opened, exchange, local, lease));
    }

    private TrainingLoop loop(
            Tools tools,
            Network opened,
            ParameterExchange exchange,
            Optional<TrainingLoop.Inner> local,
            LeaseRenewal lease) {
        BooleanSupplier stop = tools.stop();
        TimeBudget budget = tools.budget();
        return new TrainingLoop(
                opened,
                exchange,
                learning,
                local,
                lease,
                () -> stop.getAsBoolean() || exchange.isPaused() || !budget.hasTimeForAStep(identity.deadline()),
                budget,
                transfer.isOverlapping() ? Optional.of(tools.calls()) : Optional.empty());
    }

    /**
     * How gradients and parameters are transferred.
     *
     * @param gradients     encoding of the gradients
     * @param parameters    encoding of the parameters
     * @param isOverlapping whether the next batch is computed while a gradient is in flight, on parameters that are one
     *     step older
     */
    public record Transfer(Encoding gradients, ParameterEncoding parameters, boolean isOverlapping) {}
}
