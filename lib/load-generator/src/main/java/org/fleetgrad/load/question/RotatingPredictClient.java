package org.fleetgrad.load.question;

import java.io.IOException;
import java.util.List;

/** Calls several servers round-robin, each over its own connection. */
public final class RotatingPredictClient implements PredictClient {

    private final List<PredictClient> predictClients;
    private int next;

    /** Makes one over a client for each server. It begins with {@code first}, so that not all begin with the same. */
    public RotatingPredictClient(List<? extends PredictClient> predictClients, int first) {
        this.predictClients = List.copyOf(predictClients);
        this.next = first % predictClients.size();
    }

    @Override
    public void connect() throws IOException {
        for (PredictClient predictClient : predictClients) {
            predictClient.connect();
        }
    }

    @Override
    public Reply send(byte[] body) throws IOException {
        PredictClient predictClient = predictClients.get(next);
        next = (next + 1) % predictClients.size();
        return predictClient.send(body);
    }

    @Override
    public Reply giveFeedback(byte[] body) throws IOException {
        return predictClients
                .get(Math.floorMod(next - 1, predictClients.size()))
                .giveFeedback(body);
    }

    @Override
    public long connections() {
        return predictClients.stream().mapToLong(PredictClient::connections).sum();
    }

    @Override
    public void close() {
        predictClients.forEach(PredictClient::close);
    }
}
