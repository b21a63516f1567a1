package org.fleetgrad.worker.colocated;

import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.libtorch.Network;
import org.fleetgrad.serving.policy.HeldOutAccuracies;

/**
 * The serving side of a worker process. Like the process's network, it outlives an activation. Its server answers in
 * threads of its own; everything else is confined to the training thread.
 */
public final class Colocated implements AutoCloseable {

    private final ColocatedPredictor predictor;
    private final PredictServer server;
    private final URI address;
    private final AccuracyPoller accuracies;

    private Colocated(ServeSettings settings, PrintStream err) throws IOException {
        HeldOutAccuracies board = new HeldOutAccuracies();
        this.accuracies = new AccuracyPoller(board);
        this.predictor = switch (settings.mode()) {
            case INTERLEAVED -> new InterleavedPredictor();
            case THREAD -> new SnapshotPredictor(settings.every());
            case LIVE -> new LivePredictor();
        };
        Predictions predictions =
                new Predictions(predictor, settings.mode(), settings.every(), board, Clock.systemUTC());
        this.server = new PredictServer(settings, predictions, err);
        this.address = settings.reachedAt(server.port());
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
        return server.port();
    }

    /** Returns a network that trains as {@code trained} does, and serves what is loaded into it. */
    public Network serving(Network trained) {
        return new ColocatedNetwork(trained, predictor);
    }

    /** Polls a parameter server for held-out accuracies from now on. */
    public void follow(PsClient lead) {
        accuracies.follow(lead);
    }

    @Override
    public void close() {
        server.close();
        accuracies.close();
    }
}
