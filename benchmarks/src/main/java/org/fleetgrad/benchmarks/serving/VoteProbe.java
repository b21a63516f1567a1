package org.fleetgrad.benchmarks.serving;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.benchmarks.process.Programs;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.question.BodyFormat;
import org.fleetgrad.load.question.LoadRequests;
import tools.jackson.databind.json.JsonMapper;

/** Asks an ensemble about several images at a time, beside the load, and counts how its workers voted. */
final class VoteProbe implements AutoCloseable {

    private static final int IMAGES = 32;
    private static final int OK = 200;
    private static final long PAUSE_MS = 10;
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final JsonMapper json = JsonMapper.builder().build();
    private final ExecutorService thread = Executors.newSingleThreadExecutor();
    private final LoadRequests questions;
    private final VoteTally tally;
    private final Future<?> asking;
    private volatile boolean isStopped;

    /** Begins to ask, if there is an ensemble. */
    VoteProbe(Optional<Programs.Running> ensemble, ImageSamples heldOut, VoteTally tally) {
        this.questions = new LoadRequests(heldOut, IMAGES, BodyFormat.JSON, 2);
        this.tally = tally;
        this.asking = thread.submit(() -> {
            if (ensemble.isPresent()) {
                ask(ensemble.get().address().resolve("/predict"));
            }
            return null;
        });
    }

    private void ask(URI ensemble) throws IOException, InterruptedException {
        for (long number = 0; !isStopped; number++) {
            HttpResponse<byte[]> response = http.send(
                    HttpRequest.newBuilder(ensemble)
                            .timeout(PATIENCE)
                            .header("Content-Type", "application/json")
                            .POST(HttpRequest.BodyPublishers.ofByteArray(questions.body(number)))
                            .build(),
                    HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() == OK) {
                tally.add(json.readTree(response.body()));
            }
            Thread.sleep(PAUSE_MS);
        }
    }

    /** Asks nothing more, and throws what went wrong, if something did. */
    void stop() throws ExecutionException, InterruptedException {
        isStopped = true;
        Object unused = asking.get();
    }

    @Override
    public void close() {
        isStopped = true;
        thread.shutdownNow();
    }
}
