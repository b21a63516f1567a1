package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.encoding.ParameterEncoding;
import org.fleetgrad.protocol.gradient.GradientMetadata;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerReply;
import org.fleetgrad.protocol.messages.WorkerMessages.RegisterWorkerRequest;
import org.fleetgrad.protocol.messages.WorkerMessages.UnregisterWorkerReply;

/** A server with all of the parameters. */
record SingleServer(PsClient lead) implements ParameterServers {

    @Override
    public List<PsClient> all() {
        return List.of(lead);
    }

    @Override
    public ParameterServers as(String worker) {
        return new SingleServer(lead.as(worker));
    }

    @Override
    public ParameterServers pullingAs(ParameterEncoding encoding) {
        return new SingleServer(lead.pullingAs(encoding));
    }

    @Override
    public RegisterWorkerReply register(RegisterWorkerRequest request) throws IOException {
        return lead.register(request);
    }

    @Override
    public void unregister(String worker) throws IOException {
        UnregisterWorkerReply unused = lead.unregister(worker);
    }

    @Override
    public PullResult pull() throws IOException {
        return lead.pull();
    }

    @Override
    public PullResult pullOtherThan(ParameterVersion known, Duration wait) throws IOException {
        return lead.pullOtherThan(known, wait);
    }

    @Override
    public PushResult push(GradientMetadata metadata, PullResult.Pulled base, GradientChannels gradient, boolean pull)
            throws IOException {
        return gradient.pushAlone(lead, metadata, pull);
    }

    @Override
    public void putInitial(InitialSet initial) throws IOException {
        PutResult unused = lead.putInitial(initial.own());
    }

    @Override
    public long lostParts() {
        return 0;
    }
}
