package org.fleetgrad.benchmarks.durability;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.fleetgrad.benchmarks.exchange.GradientPushes;
import org.fleetgrad.benchmarks.figures.Comparison;
import org.fleetgrad.benchmarks.figures.Figure;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.files.FolderTree;
import org.fleetgrad.networks.Networks;
import org.fleetgrad.protocol.tensor.TensorLayout;

/**
 * Measures the seconds from {@code kill -9} of a server with a long journal until its successor, started at once, is
 * ready, and until that has accepted a gradient. Compares with a server without durability that gets the parameters
 * again.
 */
public record RecoveryTime(Workbench bench) {

    private static final long JOURNAL_BYTES = 256L << 20;
    private static final int LOOK_MS = 5;

    private static final TensorLayout LAYOUT = Networks.usual("lenet5").spec().layout();

    public List<Figure> measure() throws Exception {
        Comparison<Boolean> comparison = bench.compareAll(List.of(false, true), isKept -> isKept ? journal() : empty());
        return List.of(
                Figure.of("recovery-ready", "kill -9 of the server to ready, a journal of 256 MB")
                        .ours(comparison.of(true, 0), "s")
                        .limit(comparison.of(false, 0), "a server without durability"),
                Figure.of("recovery-push", "kill -9 of the server to the first accepted push, a journal of 256 MB")
                        .ours(comparison.of(true, 1), "s")
                        .limit(comparison.of(false, 1), "no durability, parameters put again"));
    }

    private double[] empty() throws Exception {
        Map<String, String> settings = Map.of("PS_DURABILITY_MODE", "none");
        return restart(bench.programs().startServerWithParameters(settings), settings, 0);
    }

    private double[] journal() throws Exception {
        Path location = Files.createTempDirectory(bench.programs().folder(), "location");
        // Only the checkpoint at the start shortens the journal.
        Map<String, String> settings = Map.of(
                "PS_DURABILITY_MODE", "journal",
                "PS_DURABILITY_LOCATION", location.toString(),
                "PS_DURABILITY_CHECKPOINTINTERVAL", "1h",
                "PS_DURABILITY_JOURNALSIZE", "1GB");
        Programs.Server server = bench.programs().startServerWithParameters(settings);
        GradientPushes pushes = new GradientPushes(server.client(), LAYOUT, false);
        while (bytes(location) < JOURNAL_BYTES) {
            for (int i = 0; i < 50; i++) {
                push(server.client(), pushes);
            }
        }
        double[] times = restart(server, settings, server.client().version().version());
        FolderTree.delete(location);
        return times;
    }

    /** Returns the seconds from the kill until ready, and until the first accepted push. */
    private double[] restart(Programs.Server server, Map<String, String> settings, long version) throws Exception {
        long begin = System.nanoTime();
        server.process().destroyForcibly().waitFor();
        Programs.Server next = bench.programs().launchServer(settings);
        PsClient impatient = new PsClient(next.address(), ClientOptions.DEFAULT.withRetryFor(Duration.ZERO));
        long found = awaitReady(impatient, next.process());
        double ready = (System.nanoTime() - begin) / 1e9;
        if (found != version) {
            throw new IllegalStateException("the server recovered version %d, not %d".formatted(found, version));
        }
        if (version == 0) {
            next.putParameters(Networks.usual("lenet5"));
        }
        push(impatient, new GradientPushes(impatient, LAYOUT, false));
        double accepted = (System.nanoTime() - begin) / 1e9;
        Programs.end(next.process());
        return new double[] {ready, accepted};
    }

    private static long awaitReady(PsClient client, Process process) throws IOException, InterruptedException {
        while (true) {
            try {
                return client.version().version();
            } catch (IOException notYet) {
                if (!process.isAlive()) {
                    throw notYet;
                }
                Thread.sleep(LOOK_MS);
            }
        }
    }

    private static long bytes(Path location) throws IOException {
        try (Stream<Path> files = Files.list(location.resolve("journal"))) {
            return files.mapToLong(file -> file.toFile().length()).sum();
        }
    }

    /** Pushes a gradient of zeros, which takes as many bytes in the journal as any other. */
    private static void push(PsClient server, GradientPushes pushes) throws IOException {
        float[] zeros = new float[Math.toIntExact(LAYOUT.elementCount())];
        PushResult result = server.push(pushes.nextMetadata(), LAYOUT, zeros, false);
        if (!(result instanceof PushResult.Applied)) {
            throw new IllegalStateException("the server answered " + result);
        }
    }
}
