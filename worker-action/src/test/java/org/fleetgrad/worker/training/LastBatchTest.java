package org.fleetgrad.worker.training;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.fake.FakeParameterServer;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource;
import org.fleetgrad.worker.training.TrainingTask.Tools;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** BatchNorm cannot normalize one value, so a network with state gets no batch of one sample. */
class LastBatchTest {

    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"resnet20 | 9 | 4,3,2", "resnet20 | 10 | 4,4,2", "lenet5 | 9 | 4,4,1"})
    void shouldLeaveNoSampleAloneIfTheNetworkHasState(String name, int samples, String batches) throws Exception {
        Shard shard = TestShards.digits(samples, 1);
        Path file = folder.resolve("shard.tar.gz");
        ShardArchive.write(shard, file);
        try (FakeParameterServer server = new FakeParameterServer(0.01f);
                Network network = Libtorch.open(Networks.named(name, List.of(1, 28, 28), 10), Device.CPU)) {
            Tools tools = new Tools(
                    ParameterServers.of(List.of(new PsClient(server.uri(), ClientOptions.DEFAULT))),
                    definition -> network,
                    new ShardSource(ShardLimits.DEFAULT),
                    new TimeBudget(Clock.systemUTC()),
                    new WarmState(),
                    () -> false);
            TrainingReport report = new TrainingTask(
                            PlainTraining.learning(4, 1, 5),
                            Optional.of(name),
                            PlainTraining.WORKER,
                            PlainTraining.TRANSFER)
                    .runShard(tools, file.toString(), 1, 0);

            assertThat(report.counted()).isEqualTo(samples);
            assertThat(server.pushes().stream()
                            .map(push -> Long.toString(push.metadata().samples())))
                    .containsExactly(batches.split(","));
        }
    }
}
