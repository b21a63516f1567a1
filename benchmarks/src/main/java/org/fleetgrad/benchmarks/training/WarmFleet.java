package org.fleetgrad.benchmarks.training;

import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.benchmarks.process.DirectInvocation;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Workbench;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.datasets.Dataset;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.datasets.shard.ShardSet;
import org.fleetgrad.datasets.synth.SyntheticDigits;
import tools.jackson.databind.JsonNode;

/** Warm workers with a shard each, in the same order. */
public record WarmFleet(List<Programs.Running> workers, List<Path> shards) {

    /** Starts workers and cuts the samples into a shard for each. */
    public static WarmFleet start(Workbench bench, int count, ImageSamples samples) throws Exception {
        return start(bench, count, "digits", samples, SyntheticDigits.generate(100, 2));
    }

    /** Starts workers and cuts the training samples of a dataset into a shard for each. */
    public static WarmFleet start(Workbench bench, int count, String dataset, ImageSamples train, ImageSamples test)
            throws Exception {
        return start(bench, count, ShardSet.write(bench.scratch("shards"), dataset, train, test, count));
    }

    /** Starts workers and cuts a dataset into a shard for each. */
    public static WarmFleet start(Workbench bench, int count, Dataset dataset) throws Exception {
        return start(bench, count, ShardSet.write(bench.scratch("shards"), dataset, count));
    }

    private static WarmFleet start(Workbench bench, int count, ShardSet shards) throws Exception {
        List<Programs.Running> workers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            workers.add(bench.programs().startWorker(Map.of()));
        }
        for (Programs.Running worker : workers) {
            DirectInvocation.init(worker);
        }
        return new WarmFleet(workers, shards.train());
    }

    public List<RunRequest> requests(URI server, int epochs) {
        List<RunRequest> requests = new ArrayList<>();
        for (int i = 0; i < workers.size(); i++) {
            requests.add(new RunRequest(
                    workers.get(i).address(), server, shards.get(i).toUri(), epochs, Map.of()));
        }
        return requests;
    }

    /**
     * Trains each worker on its shard and returns the samples per second of all together. Throws if a sample is lost.
     */
    public double train(Programs.Server server, int epochs) throws Exception {
        return train(server.client(), requests(server.address(), epochs));
    }

    /** Runs the tasks concurrently and returns the samples per second of all together. Throws if a sample is lost. */
    public static double train(PsClient server, List<RunRequest> requests) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(requests.size());
        List<Future<JsonNode>> answers = new ArrayList<>();
        long before = server.status().samples();
        long begin = System.nanoTime();
        for (RunRequest request : requests) {
            answers.add(threads.submit(request::run));
        }
        long computed = 0;
        for (Future<JsonNode> answer : answers) {
            computed += answer.get().path("samples").asLong();
        }
        double seconds = (System.nanoTime() - begin) / 1e9;
        threads.shutdown();
        long samples = server.status().samples() - before;
        if (samples != computed) {
            throw new IllegalStateException("%d samples were applied; they should be %d".formatted(samples, computed));
        }
        return (double) samples / seconds;
    }
}
