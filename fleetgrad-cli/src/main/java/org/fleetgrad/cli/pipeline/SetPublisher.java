package org.fleetgrad.cli.pipeline;

import java.io.IOException;
import org.fleetgrad.cli.failure.CommandFailedException;
import org.fleetgrad.cli.services.Services;
import org.fleetgrad.cli.shards.PreparedDataset;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PutResult;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.messages.VersionReply;
import org.fleetgrad.protocol.tensor.TensorSet;
import org.fleetgrad.protocol.work.WorkPlan;

/** Puts the whole network to the parameter server, from where it is served, evaluated and kept. */
final class SetPublisher {

    private final Services services;

    SetPublisher(Services services) {
        this.services = services;
    }

    /** States the work of the run, so that the server knows how far it is. The stages take the shards themselves. */
    void state(PreparedDataset dataset, int epochs) throws IOException, CommandFailedException, InterruptedException {
        WorkPlan plan = dataset.plan(epochs, shard -> shard.toUri().toString());
        Object unused = services.ask(client -> client.putWork(plan));
    }

    /**
     * Puts a set over the newest version, or as the first one.
     *
     * @return the version under which it is served
     * @throws CommandFailedException if somebody else writes to this server
     */
    ParameterVersion publish(TensorSet set) throws IOException, CommandFailedException, InterruptedException {
        VersionReply newest = services.ask(PsClient::version);
        PutResult result = newest.initialized()
                ? services.ask(
                        client -> client.putOver(new ParameterVersion(newest.generation(), newest.version()), set))
                : services.ask(client -> client.putInitial(set));
        if (result instanceof PutResult.Accepted accepted) {
            return accepted.version();
        }
        throw CommandFailedException.remote(
                "somebody else wrote to the parameter server of this run: its version is no longer %d"
                        .formatted(newest.version()));
    }
}
