package org.fleetgrad.benchmarks.inference;

import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.fleetgrad.datasets.ImageSamples;
import org.fleetgrad.load.LoadClock;
import org.fleetgrad.load.LoadRun;
import org.fleetgrad.load.LoadSettings;
import org.fleetgrad.load.LoadTarget;
import org.fleetgrad.load.question.BodyFormat;
import org.fleetgrad.load.question.LoadRequests;
import org.fleetgrad.load.result.LoadFigures;

/** Asks a server about held-out samples, one image a request, as {@code fleetgrad load} does. */
public final class PredictLoad {

    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final int MOST_TRIES = 300;
    private static final int PAUSE_MS = 200;

    private final LoadTarget target;
    private final LoadRequests questions;

    /** Asks about these samples, in a random order that is always the same. */
    public PredictLoad(URI address, ImageSamples samples) {
        this.target = LoadTarget.of(List.of(address.toString()), TIMEOUT, "");
        this.questions = new LoadRequests(samples, 1, BodyFormat.JSON, 1);
    }

    /** Waits until the server answers a request. */
    public void awaitModel() throws IOException, InterruptedException {
        for (int i = 0; i < MOST_TRIES; i++) {
            try {
                LoadFigures unused = asFastAsAnswered(1, 1);
                return;
            } catch (IOException notYet) {
                Thread.sleep(PAUSE_MS);
            }
        }
        throw new IOException("the server answers no prediction");
    }

    /** Sends so many requests over so many connections, as fast as they are answered. */
    public LoadFigures asFastAsAnswered(int connections, long requests) throws IOException, InterruptedException {
        return answered(connections, requests, OptionalDouble.empty());
    }

    /** Sends so many requests over so many connections, at a rate per second if there is one. */
    LoadFigures answered(int connections, long requests, OptionalDouble rate) throws IOException, InterruptedException {
        try (LoadRun run = prepare(connections, requests, rate)) {
            run.connect();
            run.run(watched -> {});
            return withoutFailures(run.result().all());
        }
    }

    /** Returns the figures; throws if a request failed. */
    static LoadFigures withoutFailures(LoadFigures figures) throws IOException {
        if (figures.failed() > 0) {
            throw new IOException(
                    "%d of %d requests failed: %s".formatted(figures.failed(), figures.requests(), figures.failures()));
        }
        return figures;
    }

    /** What something brought, and what clients saw meanwhile. */
    public record During(double value, LoadFigures asked) {}

    /** Asks for exactly as long as {@code work} takes, such as a training. */
    public During during(int connections, OptionalDouble rate, Callable<Double> work) throws Exception {
        ExecutorService thread = Executors.newSingleThreadExecutor();
        try (LoadRun asking = prepare(connections, Integer.MAX_VALUE, rate)) {
            asking.connect();
            Callable<LoadFigures> ask = () -> {
                asking.run(watched -> {});
                return asking.result().all();
            };
            Future<LoadFigures> asked = thread.submit(ask);
            double value = work.call();
            asking.stop();
            return new During(value, asked.get());
        } finally {
            thread.shutdownNow();
        }
    }

    private LoadRun prepare(int connections, long requests, OptionalDouble rate) {
        return new LoadRun(
                LoadSettings.of(connections, requests, rate),
                questions,
                target.predictClients(questions.mediaType()),
                LoadClock.SYSTEM,
                System.currentTimeMillis(),
                row -> {});
    }
}
