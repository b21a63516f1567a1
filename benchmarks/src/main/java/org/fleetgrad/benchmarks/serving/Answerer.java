package org.fleetgrad.benchmarks.serving;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.benchmarks.process.Programs.Running;
import org.fleetgrad.runs.process.Ports;

/** The programs of a run. The one that answers predictions may be a worker; there is none if nobody asks. */
record Answerer(Programs.Server server, List<Running> workers, Optional<Running> asked) {

    /** Starts the programs of a run that nobody asks. */
    static Answerer none(Programs programs, int workers) throws IOException {
        return start(programs, workers, Map.of());
    }

    /** Starts the programs of a run whose model is asked; a replica evaluates on this shard. */
    static Answerer of(Programs programs, Serving serving, Path shard) throws IOException {
        int port = Ports.free();
        Answerer run = switch (serving.place()) {
            case REPLICA -> none(programs, serving.workers());
            // Each on any port: the ensemble reads the addresses from the server's status.
            case ENSEMBLE -> start(programs, serving.workers(), serving(Serving.Place.INTERLEAVED, 0));
            case INTERLEAVED, THREAD, LIVE -> start(programs, serving.workers(), serving(serving.place(), port));
        };
        Running asked = switch (serving.place()) {
            case REPLICA ->
                programs.startInference(
                        run.server(),
                        Map.of("INFERENCE_POLICY", serving.policy(), "INFERENCE_TESTSHARD", shard.toString()));
            case ENSEMBLE -> programs.startEnsemble(run.server());
            case INTERLEAVED, THREAD, LIVE ->
                new Running(Programs.at(port), run.workers().get(0).process());
        };
        return new Answerer(run.server(), run.workers(), Optional.of(asked));
    }

    private static Map<String, String> serving(Serving.Place place, int port) {
        return Map.of("WORKER_SERVE", Integer.toString(port), "WORKER_SERVE_MODE", place.label());
    }

    private static Answerer start(Programs programs, int workers, Map<String, String> settings) throws IOException {
        // Synchronous: the same seed gives the same versions.
        Programs.Server server = programs.startServer(Map.of("PS_MODE", "sync"));
        List<Running> started = new ArrayList<>();
        for (int i = 0; i < workers; i++) {
            started.add(programs.startWorker(settings));
        }
        return new Answerer(server, started, Optional.empty());
    }

    void end() throws InterruptedException {
        if (asked.isPresent()) {
            Programs.end(asked.get().process());
        }
        for (Running worker : workers) {
            Programs.end(worker.process());
        }
        Programs.end(server.process());
    }
}
