package org.fleetgrad.evaluator.source;

import java.io.IOException;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;
import org.fleetgrad.protocol.messages.RunMessages.StatusReply;

/** A parameter server, or several of a run. */
public interface TrainingServer {

    /** Requests the status of the run. */
    StatusReply status() throws IOException;

    /** Pulls the newest parameter set. */
    PullResult pull() throws IOException;

    /** Reports an evaluation; 409 means that the history of the evaluated version is gone. */
    void report(PutAccuracyRequest evaluation) throws IOException;

    /** Calls servers over HTTP; of several servers, the lead has the status and receives the reports. */
    static TrainingServer of(ParameterServers servers) {
        return new TrainingServer() {
            @Override
            public StatusReply status() throws IOException {
                return servers.lead().status();
            }

            @Override
            public PullResult pull() throws IOException {
                return servers.pull();
            }

            @Override
            public void report(PutAccuracyRequest evaluation) throws IOException {
                servers.lead().putAccuracy(evaluation);
            }
        };
    }
}
