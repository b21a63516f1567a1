package org.fleetgrad.worker.training;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.client.fake.FakeWork;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.testing.ManualClock;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TrainingTask.Tools;

/** A server that assigns two shards of digits, twice, and a network to train on them. */
final class QueuedShards implements AutoCloseable {

    static final Shard TWENTY = TestShards.digits(20, 1);
    static final Shard TEN = TestShards.digits(10, 2);

    private final Path folder;
    private final FakeWork work;
    private final FakeParameterServer server;
    private final Network network;

    QueuedShards(Path folder) throws IOException {
        this.folder = folder;
        this.work = new FakeWork(2).with(file(TWENTY), 20).with(file(TEN), 10);
        this.server = new FakeParameterServer(0.05f).with(work);
        this.network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
    }

    Path file(Shard shard) throws IOException {
        Path file = folder.resolve("shard-%d.tar.gz".formatted(shard.samples().count()));
        ShardArchive.write(shard, file);
        return file;
    }

    FakeWork work() {
        return work;
    }

    FakeParameterServer server() {
        return server;
    }

    Tools tools(FakeParameterServer from, ManualClock clock, BooleanSupplier stop) {
        return new Tools(
                ParameterServers.of(List.of(new PsClient(from.uri(), ClientOptions.DEFAULT))),
                definition -> network,
                new ShardSource(ShardLimits.DEFAULT),
                new TimeBudget(clock),
                new WarmState(),
                stop);
    }

    @Override
    public void close() {
        network.close();
        server.close();
    }
}
