package org.fleetgrad.worker.training;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.fleetgrad.client.InitialSet;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.datasets.sampling.BatchSampler;
import org.fleetgrad.datasets.shard.DatasetDescription;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.protocol.partition.PartitionLabel;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.data.ShardUnavailableException;
import tools.jackson.databind.json.JsonMapper;

/**
 * One activation's training.
 *
 * @param batchSize      samples of a batch
 * @param updateInterval batches whose mean gradient makes a push
 * @param seed           of the initial parameters and the order of the samples
 * @param worker         the id to register under; if absent, the server draws one
 * @param description    what the worker is, for people
 * @param device         what it computes on
 * @param deadline       when it will be gone, epoch milliseconds
 * @param transfer       how gradients and parameters travel
 */
public record TrainingTask(
        int batchSize,
        int updateInterval,
        long seed,
        Optional<String> worker,
        String description,
        String device,
        OptionalLong deadline,
        Transfer transfer) {

    private static final String NETWORK = "network";
    private static final String SEED = "seed";

    /**
     * The tools of a training.
     *
     * @param client speaks to the servers
     * @param shards fetches shards
     * @param pace   tells whether there is time for more
     * @param channel keeps the residual of the last activation's encoding
     * @param stop   asked between batches: whether to stop
     */
    public record Tools(
            ParameterServers client,
            NetworkDefinition definition,
            Network network,
            ShardSource shards,
            Pace pace,
            KeptChannel channel,
            BooleanSupplier stop) {}

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
        ShardSource.Fetched data = tools.shards().fetch(url);
        DatasetDescription dataset = data.shard().description();
        requireMatch(tools.network(), dataset);
        ParameterExchange exchange = exchange(tools, () -> initial(tools, dataset));
        TrainingLoop ended;
        int whole = 0;
        try (TrainingLoop loop = loop(tools, exchange)) {
            ended = loop;
            loop.load(exchange.join());
            BatchSampler sampler = new BatchSampler(data.shard().samples().count(), batchSize, seed);
            while (whole < epochs
                    && loop.pass(data.shard(), sampler.epoch(first + whole), Optional.empty())
                            == TrainingLoop.End.WHOLE) {
                whole++;
            }
        } catch (TrainingFailedException failed) {
            // The server answers, so leave: neither it nor the id then waits for the lease to run out.
            exchange.leave();
            throw failed;
        }
        exchange.leave();
        return TrainingReport.of(exchange.tally(), ended, data.bytes())
                .with(
                        whole,
                        whole == epochs,
                        whole == epochs ? TrainingReport.DONE : TrainingReport.MORE,
                        Optional.empty());
    }

    /**
     * Trains on the shards that the server hands out until none is left, the limit is reached or it is time to stop;
     * then unregisters.
     *
     * @param limit shards to finish at the most; 0 for no limit
     * @throws TrainingFailedException for what a retry would meet again
     * @throws IOException when the server stays away
     */
    public TrainingReport runQueue(Tools tools, int limit)
            throws IOException, TrainingFailedException, ShardUnavailableException {
        return new QueueTraining(this, tools, limit).run();
    }

    ParameterExchange exchange(Tools tools, Supplier<TensorSet> initial) {
        return new ParameterExchange(
                tools.client(),
                new WorkerIdentity(worker, description, device, deadline),
                tools.network().spec().layout(),
                new Initial(tools, initial),
                transfer,
                tools.channel());
    }

    /** The initial parameters of this task, or those of another worker with the same network. */
    private record Initial(Tools tools, Supplier<TensorSet> supplier) implements InitialSet {
        @Override
        public TensorSet own() {
            return supplier.get();
        }

        @Override
        public Optional<TensorSet> like(Map<String, String> metadata) {
            Network network = tools.network();
            String seed = metadata.getOrDefault(SEED, "");
            if (!network.spec().name().equals(metadata.get(NETWORK)) || !seed.matches("-?\\d{1,18}")) {
                return Optional.empty();
            }
            return Optional.of(TensorSet.ofFloats(
                    network.spec().layout(),
                    tools.definition().initialParameters(Long.parseLong(seed)),
                    PartitionLabel.without(metadata)));
        }
    }

    TrainingLoop loop(Tools tools, ParameterExchange exchange) {
        BooleanSupplier stop = tools.stop();
        Pace pace = tools.pace();
        return new TrainingLoop(
                tools.network(),
                exchange,
                batchSize,
                updateInterval,
                () -> stop.getAsBoolean() || !pace.hasTimeForAStep(deadline),
                pace,
                transfer.isOverlapping());
    }

    static void requireMatch(Network network, DatasetDescription dataset) throws TrainingFailedException {
        List<Integer> shape = network.spec().inputShape();
        if (!shape.equals(dataset.shape())
                || dataset.classes().size() > network.spec().classes()) {
            throw new TrainingFailedException(
                    "%s takes images of %s in %d classes, the dataset %s has %s in %d"
                            .formatted(
                                    network.spec().name(),
                                    shape,
                                    network.spec().classes(),
                                    dataset.name(),
                                    dataset.shape(),
                                    dataset.classes().size()),
                    null);
        }
    }

    /** The metadata has all that a server of the model must know; it travels with every version. */
    TensorSet initial(Tools tools, DatasetDescription dataset) {
        Network network = tools.network();
        JsonMapper json = JsonMapper.builder().build();
        Map<String, String> metadata = new TreeMap<>();
        metadata.put(NETWORK, network.spec().name());
        metadata.put("dataset", dataset.name());
        metadata.put(SEED, Long.toString(seed));
        metadata.put("classes", json.writeValueAsString(dataset.classes()));
        metadata.put(
                "normalization",
                json.writeValueAsString(Map.of(
                        "mean", dataset.normalization().mean(),
                        "std", dataset.normalization().std())));
        return TensorSet.ofFloats(network.spec().layout(), tools.definition().initialParameters(seed), metadata);
    }
}
