package org.fleetgrad.worker.colocated;

import java.io.IOException;
import java.io.PrintStream;
import org.fleetgrad.http.server.BufferedRequest;
import org.fleetgrad.http.server.Reply;
import org.fleetgrad.http.server.SmallLimits;
import org.fleetgrad.http.server.SmallServer;
import org.fleetgrad.protocol.ProblemKind;
import org.fleetgrad.protocol.Routes;

/** The HTTP server of a worker that answers predictions. */
final class PredictServer implements AutoCloseable {

    /**
     * More threads than outstanding requests, so that one is free to refuse excess requests and to answer a status
     * request.
     */
    private static final int WORKING = Predictions.MOST_OUTSTANDING + 8;

    private static final long DRAIN_MS = 1_000;

    private final SmallServer server;
    private final Predictions predictions;

    /** Binds the address; answers after {@link #start}. */
    PredictServer(ServeSettings settings, Predictions predictions, PrintStream err) throws IOException {
        this.predictions = predictions;
        this.server = new SmallServer(
                "predict", settings.address(), settings.issuer(), SmallLimits.defaults(WORKING), this::handle, err);
    }

    void start() {
        server.start();
    }

    int port() {
        return server.address().getPort();
    }

    private Reply handle(BufferedRequest request) {
        return switch (request.path()) {
            case "/predict" -> request.method().equals("POST") ? predict(request) : Reply.wrongMethod("POST");
            case Routes.STATUS -> request.method().equals("GET") ? predictions.status() : Reply.wrongMethod("GET");
            default ->
                Reply.problem(
                        ProblemKind.NOT_FOUND,
                        "this worker knows POST /predict, GET /status and POST /issueToken only");
        };
    }

    private Reply predict(BufferedRequest request) {
        if (!request.isJson()) {
            return Reply.problem(
                    ProblemKind.UNSUPPORTED_MEDIA_TYPE,
                    "the body has type %s; a worker accepts application/json".formatted(request.mediaType()));
        }
        return predictions.predict(request.body());
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
    }
}
