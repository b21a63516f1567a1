package org.example.training;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import org.fleetgrad.networks.NetworkDefinition;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.ps.EmbeddedServer;

/** Trains LeNet-5 on generated digits: the parameter server and two workers are threads of this JVM. */
public final class EmbeddedTraining {

    private static final int SAMPLES = 4000;

    /** Trains, and prints the accuracy before and afterwards. */
    public static void main(String[] arguments) throws Exception {
        NetworkDefinition lenet = Networks.named("lenet5", List.of(1, 28, 28), SyntheticDigits.CLASSES);
        try (EmbeddedServer server = EmbeddedServer.start(
                "ps.learning-rate=0.02", "ps.optimizer=sgd:momentum=0.9", "ps.staleness=look-ahead")) {
            PsClient client = new PsClient(server.address(), ClientOptions.DEFAULT);
            begin(client, lenet);
            System.out.println("accuracy before: " + Accuracy.of(client, lenet));
            train(client, lenet, 2, 250);
            System.out.println("accuracy afterwards: " + Accuracy.of(client, lenet));
        }
    }

    /** Puts the first parameters. */
    static void begin(PsClient client, NetworkDefinition network) throws Exception {
        client.putInitial(TensorSet.ofFloats(
                network.spec().layout(),
                network.initialParameters(7),
                network.spec().metadata()));
    }

    /** Trains with some workers, each with its share of the samples, for some batches of each. */
    static void train(PsClient client, NetworkDefinition network, int workers, int batches) throws Exception {
        ImageSamples digits = SyntheticDigits.generate(SAMPLES, 1);
        int share = SAMPLES / workers;
        ExecutorService threads = Executors.newFixedThreadPool(workers);
        try {
            List<Callable<Void>> loops = new ArrayList<>();
            for (int i = 0; i < workers; i++) {
                ImageSamples own = digits.slice(i * share, (i + 1) * share);
                loops.add(() -> {
                    new DigitWorker(client, network, own).run(batches);
                    return null;
                });
            }
            for (Future<Void> loop : threads.invokeAll(loops)) {
                loop.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }
}
