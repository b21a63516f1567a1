package org.fleetgrad.worker.colocated;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.http.server.SmallLimits;
import org.fleetgrad.http.server.SmallServer;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.serving.policy.HeldOutScores;
import org.fleetgrad.worker.colocated.ServeSettings.ServeMode;

/**
 * The serving side of a worker process. Like the process's network, it outlives an activation. Its server answers in
 * threads of its own; everything else is confined to the training thread.
 */
public final class Colocated implements AutoCloseable {

    /**
     * More threads than outstanding requests, so that one is free to refuse excess requests and to answer a status
     * request.
     */
    private static final int WORKING = Predictions.MOST_OUTSTANDING + 8;

    private static final long DRAIN_MS = 1_000;

    private final ColocatedPredictor predictor;
    private final Predictions predictions;
    private final SmallServer server;
    private final URI address;
    private final AccuracyPoller accuracies;

    private Colocated(ServeSettings settings, PrintStream err) throws IOException {
        HeldOutScores board = new HeldOutScores();
        this.accuracies = new AccuracyPoller(board);
        this.predictor = settings.mode() == ServeMode.THREAD
                ? new SnapshotPredictor(settings.every())
                : new TrainedTensorsPredictor(settings.mode() == ServeMode.INTERLEAVED);
        this.predictions = new Predictions(predictor, settings.mode(), settings.every(), board, Clock.systemUTC());
        this.server = new SmallServer(
                "predict",
                settings.address(),
                settings.issuer(),
                SmallLimits.defaults(WORKING),
                predictions::handle,
                err);
        this.address = settings.reachedAt(port());
        server.start();
        err.printf("answers predictions at %s, %s%n", address, settings.mode().label());
    }

    /**
     * Starts to serve, if the settings say so; until a network is trained, it responds that there is no model.
     *
     * @throws IllegalArgumentException when a setting is wrong
     * @throws IOException              when the port cannot be bound
     */
    public static Optional<Colocated> open(Map<String, String> environment, PrintStream err) throws IOException {
        Optional<ServeSettings> settings = ServeSettings.read(environment);
        if (settings.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new Colocated(settings.get(), err));
    }

    /** Returns the address under which clients reach it. */
    public URI address() {
        return address;
    }

    /** Returns the port that it listens on. */
    public int port() {
        return server.address().getPort();
    }

    /** Returns a network that trains as {@code trained} does, and serves what is loaded into it. */
    public Network serving(Network trained) {
        return new ColocatedNetwork(trained, predictor);
    }

    /** Polls a parameter server for held-out accuracies from now on. */
    public void follow(PsClient lead) {
        accuracies.follow(lead);
    }

    /** Refuses new requests, answers those in flight, and stops. */
    @Override
    public void close() {
        try {
            predictions.drain(DRAIN_MS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        server.close();
        accuracies.close();
    }
}
