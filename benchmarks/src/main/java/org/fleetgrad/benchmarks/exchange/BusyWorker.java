package org.fleetgrad.benchmarks.exchange;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.fleetgrad.benchmarks.figures.Timings;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.libtorch.Device;
import org.fleetgrad.libtorch.Libtorch;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;

/** A worker that repeats: compute a batch of 32, exchange it. Prints the nanoseconds of each exchange. */
final class BusyWorker {

    private static final int BATCH = 32;
    private static final int WARM_UP = 50;

    private BusyWorker() {}

    /**
     * Arguments: {@code server} or {@code loopback}, address, seconds; with the loopback also the bytes of a request.
     */
    public static void main(String[] arguments) throws Exception {
        URI address = URI.create(arguments[1]);
        long nanos = TimeUnit.SECONDS.toNanos(Long.parseLong(arguments[2]));
        NetworkDefinition definition = Networks.usual("lenet5");
        try (Network network = Libtorch.open(Networks.usual("lenet5"), Device.CPU);
                LoadConnection connection = new LoadConnection(address)) {
            network.load(TensorSet.ofFloats(definition.spec().layout(), definition.initialParameters(1), Map.of()));
            Timings.Repetition exchange;
            if (arguments[0].equals("server")) {
                GradientPushes pushes =
                        new GradientPushes(new PsClient(address, ClientOptions.DEFAULT), Model.SMALL.layout(), true);
                exchange = () -> pushes.push(connection);
            } else {
                byte[] request = new byte[Integer.parseInt(arguments[3])];
                exchange = () -> connection.exchange(request);
            }
            work(network, exchange, nanos);
        }
    }

    private static void work(Network network, Timings.Repetition exchange, long forNanos) throws Exception {
        float[] images = new float[BATCH * 28 * 28];
        float[] labels = new float[BATCH];
        float[] gradient = new float[Math.toIntExact(network.spec().layout().elementCount())];
        StringBuilder nanos = new StringBuilder();
        long begin = System.nanoTime();
        for (int done = 0; System.nanoTime() - begin < forNanos; done++) {
            network.accumulate(images, labels, BATCH);
            network.drainGradient(gradient, 1f);
            long before = System.nanoTime();
            exchange.run();
            if (done >= WARM_UP) {
                nanos.append(System.nanoTime() - before).append(' ');
            }
        }
        System.out.println(nanos);
    }
}
