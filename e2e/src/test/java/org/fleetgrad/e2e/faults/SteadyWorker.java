package org.fleetgrad.e2e.faults;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.client.PushResult;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.tensor.TensorSet;

/** One worker that pushes its gradients one after another, so that the values of every version are known. */
final class SteadyWorker {

    static final String ID = "steady";

    private final Gradients gradients;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final List<float[]> versions = new ArrayList<>();
    private long sequence;

    SteadyWorker(Gradients gradients) {
        this.gradients = gradients;
    }

    /** Puts the initial parameters and registers. */
    void begin(ServerUnderTest server) throws IOException {
        PsClient client = server.client();
        Object unused = client.putInitial(TensorSet.ofFloats(Gradients.LAYOUT, gradients.initial(), Map.of()));
        versions.add(gradients.initial());
        register(server);
    }

    void register(ServerUnderTest server) throws IOException {
        Object unused = server.client().register(new RegisterWorkerRequest(ID, "steady", null, "none"));
    }

    /** Pushes this many gradients on the newest version; each must be applied. */
    void push(ServerUnderTest server, int count) throws IOException {
        for (int i = 0; i < count; i++) {
            sequence++;
            PushResult result = push(server, sequence);
            if (!(result instanceof PushResult.Applied applied)) {
                throw new AssertionError("push %d was answered %s".formatted(sequence, result));
            }
            acknowledge(applied.version(), applied.staleness(), applied.pulled().orElseThrow());
        }
    }

    /** Records that the next gradient was accepted on the version before the newest. */
    void taken(ServerUnderTest server) throws IOException {
        sequence++;
        Pulled newest = (Pulled) server.client().pull();
        acknowledge(newest.version().version(), 0, newest);
    }

    /** Pushes the gradient of a sequence number on the newest version, and returns the outcome. */
    PushResult push(ServerUnderTest server, long number) throws IOException {
        Pulled base = (Pulled) server.client().pull();
        return server.client().push(metadata(number, base), Gradients.LAYOUT, gradients.of(ID, number), true);
    }

    GradientMetadata metadata(long number, Pulled base) {
        return new GradientMetadata(
                ID, number, base.version().generation(), base.version().version(), gradients.samples(ID, number), 1.0);
    }

    private void acknowledge(long version, long staleness, Pulled after) {
        acknowledgements.add(new Acknowledgement(
                ID, sequence, true, version, version - 1 - staleness, gradients.samples(ID, sequence)));
        versions.add(after.parameters().toFloats(Gradients.LAYOUT));
    }

    /** Returns the number of the next push. */
    long next() {
        return sequence + 1;
    }

    /** Returns the served values of a version. */
    float[] values(long version) {
        return versions.get((int) version);
    }

    Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    Gradients gradients() {
        return gradients;
    }
}
