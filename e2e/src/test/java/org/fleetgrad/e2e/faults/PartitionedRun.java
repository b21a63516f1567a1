package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.GradientSender;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.encoding.Encoding;
import org.fleetgrad.protocol.encoding.EncodingException;
import org.fleetgrad.protocol.encoding.Encodings;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.FrozenTensors;
import org.fleetgrad.protocol.tensor.ParameterState;
import org.fleetgrad.protocol.tensor.TensorSet;

/** Parameter servers with a partition each, and workers that push in turn. */
final class PartitionedRun implements AutoCloseable {

    private final Gradients gradients;
    private final List<PartitionServer> servers = new ArrayList<>();

    /** One worker, which records its pushes. */
    final class Worker {

        private final String id;
        private final ParameterServers client;
        private final GradientSender channels;
        private Pulled base;
        private long sequence;

        Worker(String id) throws IOException {
            this(id, Encodings.PLAIN, Encodings.PLAIN);
        }

        Worker(String id, Encoding encoding, ParameterEncoding pulling) throws IOException {
            ParameterServers anonymous = PartitionedRun.this.client().pullingAs(pulling);
            Object unused = anonymous.register(new RegisterWorkerRequest(id, "partitioned", null, "none"));
            this.id = id;
            this.channels = new GradientSender(
                    Gradients.LAYOUT, ParameterState.NONE, FrozenTensors.NONE, encoding, servers.size());
            this.client = anonymous.as(id);
            this.base = (Pulled) client.pull();
        }

        /** Pushes the next gradient on the parameters pulled last. */
        PushResult push() throws IOException {
            sequence++;
            return push(gradients.of(id, sequence));
        }

        /** Pushes the caller's gradient under the next sequence number. */
        PushResult push(float[] gradient) throws IOException {
            try {
                channels.prepare(base.parts(), gradient);
            } catch (EncodingException unfit) {
                throw new AssertionError(unfit);
            }
            return again();
        }

        /** Skips a sequence number, for a gradient that was pushed in another way. */
        void skip() {
            sequence++;
        }

        /** Pushes the same gradient again. */
        PushResult again() throws IOException {
            return client.push(metadata(), base, channels, true);
        }

        GradientMetadata metadata() {
            return new GradientMetadata(
                    id,
                    sequence,
                    base.version().generation(),
                    base.version().version(),
                    gradients.samples(id, sequence),
                    1.0);
        }

        /** Waits for the next version and returns it; later gradients are computed on it. */
        Pulled next() throws IOException {
            while (true) {
                if (client.pullOtherThan(base.version(), Duration.ofSeconds(1)) instanceof Pulled pulled) {
                    base = pulled;
                    return pulled;
                }
            }
        }

        Pulled base() {
            return base;
        }

        ParameterServers client() {
            return client;
        }
    }

    private PartitionedRun(Gradients gradients) {
        this.gradients = gradients;
    }

    /** Starts {@code count} servers that nobody can kill, all in one JVM. */
    static PartitionedRun hosted(
            ServerHost host, Path folder, int count, Gradients gradients, Map<String, String> settings)
            throws IOException {
        PartitionedRun run = new PartitionedRun(gradients);
        for (int i = 0; i < count; i++) {
            run.servers.add(host.start(folder.resolve(count + "-" + i), settings));
        }
        return run;
    }

    /** Starts {@code count} servers that are processes of their own. */
    static PartitionedRun ofProcesses(Path folder, int count, Gradients gradients, Map<String, String> settings)
            throws IOException {
        PartitionedRun run = new PartitionedRun(gradients);
        List<ServerUnderTest> processes = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ServerUnderTest server = new ServerUnderTest(folder.resolve(count + "-" + i), settings);
            run.servers.add(server);
            processes.add(server);
            server.launch();
        }
        processes.forEach(ServerUnderTest::awaitReady);
        return run;
    }

    PartitionedRun begun() throws IOException {
        client().putInitial(() -> initial(gradients));
        return this;
    }

    static TensorSet initial(Gradients gradients) {
        return TensorSet.ofFloats(Gradients.LAYOUT, gradients.initial(), Map.of("network", "tiny"));
    }

    ParameterServers client() {
        return ParameterServers.of(servers.stream()
                .map(server -> new PsClient(
                        URI.create("http://127.0.0.1:" + server.port()),
                        ClientOptions.DEFAULT.withRetryFor(Duration.ofSeconds(60))))
                .toList());
    }

    PartitionServer server(int index) {
        return servers.get(index);
    }

    /** Returns a server that is a process of its own. */
    ServerUnderTest process(int index) {
        return (ServerUnderTest) servers.get(index);
    }

    float[] values() throws IOException {
        return ((Pulled) client().pull()).parameters().toFloats(Gradients.LAYOUT);
    }

    @Override
    public void close() {
        servers.forEach(PartitionServer::close);
    }
}
