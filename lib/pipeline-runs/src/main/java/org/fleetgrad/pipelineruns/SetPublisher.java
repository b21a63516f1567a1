package org.fleetgrad.pipelineruns;

import java.io.IOException;
import java.util.Optional;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.WorkPlan;
import org.fleetgrad.runs.output.RunFailedException;
import org.fleetgrad.runs.services.Services;
import org.fleetgrad.runs.shards.PreparedDataset;

/** Publishes the complete network to the parameter server, which serves, evaluates and persists it. */
final class SetPublisher {

    private final Services services;

    SetPublisher(Services services) {
        this.services = services;
    }

    /** Registers the work of the run, so that the server knows its progress. The stages read the shards themselves. */
    void state(PreparedDataset dataset, int epochs) throws IOException, RunFailedException, InterruptedException {
        WorkPlan plan = dataset.plan(epochs, shard -> shard.toUri().toString());
        Object unused = services.ask(client -> client.putWork(plan));
    }

    /**
     * Publishes a set after the newest version, or as the first one, and returns its version.
     *
     * @throws RunFailedException if another client writes to this server
     */
    ParameterVersion publish(TensorSet set) throws IOException, RunFailedException, InterruptedException {
        VersionReply newest = services.ask(PsClient::version);
        Optional<ParameterVersion> published = newest.initialized()
                ? services.ask(
                        client -> client.putOver(new ParameterVersion(newest.generation(), newest.version()), set))
                : services.ask(client -> client.putInitial(set));
        if (published.isEmpty()) {
            throw RunFailedException.remote(
                    "another client wrote to the parameter server of this run: its version is no longer %d"
                            .formatted(newest.version()));
        }
        return published.get();
    }
}
