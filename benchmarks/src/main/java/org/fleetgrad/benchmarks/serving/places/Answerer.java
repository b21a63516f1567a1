package org.fleetgrad.benchmarks.serving.places;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.benchmarks.process.Programs;

/**
 * The programs of a run.
 *
 * @param server  parameter server
 * @param workers that train
 * @param address where predictions are answered; empty if nobody asks
 * @param beside  the program that answers, if it is no worker
 */
record Answerer(
        Programs.Server server, List<Programs.Worker> workers, Optional<URI> address, Optional<Process> beside) {

    /** Starts the programs of a run that nobody asks. */
    static Answerer none(Programs programs, int workers) throws IOException, InterruptedException {
        Programs.Server server = start(programs);
        List<Programs.Worker> started = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            started.add(programs.startWorker());
        }
        return new Answerer(server, started, Optional.empty(), Optional.empty());
    }

    /**
     * Starts the programs of a run whose model is asked.
     *
     * @param shard held-out samples for a replica
     */
    static Answerer of(Programs programs, Serving serving, Path shard) throws IOException, InterruptedException {
        Programs.Server server = start(programs);
        return switch (serving.place()) {
            case REPLICA -> {
                Programs.Answering replica = programs.startInference(
                        server, Map.of("INFERENCE_POLICY", serving.policy(), "INFERENCE_TESTSHARD", shard.toString()));
                yield new Answerer(
                        server,
                        List.of(programs.startWorker()),
                        Optional.of(replica.address()),
                        Optional.of(replica.process()));
            }
            case INTERLEAVED, THREAD, LIVE -> {
                Programs.ServingWorker worker = programs.startServingWorker(serving.mode());
                yield new Answerer(server, List.of(worker.worker()), Optional.of(worker.answers()), Optional.empty());
            }
            case ENSEMBLE -> {
                List<Programs.Worker> workers = new ArrayList<>();
                for (int i = 0; i < serving.workers(); i++) {
                    workers.add(programs.startServingWorker(serving.mode()).worker());
                }
                Programs.Answering ensemble = programs.startEnsemble(server);
                yield new Answerer(server, workers, Optional.of(ensemble.address()), Optional.of(ensemble.process()));
            }
        };
    }

    private static Programs.Server start(Programs programs) throws IOException, InterruptedException {
        // Synchronous: the same seed gives the same versions.
        return programs.startServer(Map.of("PS_MODE", "sync"));
    }

    /** Ends all of them. */
    void end() throws InterruptedException {
        if (beside.isPresent()) {
            Programs.end(beside.get());
        }
        for (Programs.Worker worker : workers) {
            Programs.end(worker.process());
        }
        Programs.end(server.process());
    }
}
