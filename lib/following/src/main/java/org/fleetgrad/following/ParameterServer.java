package org.fleetgrad.following;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.fleetgrad.client.ClientOptions;
import org.fleetgrad.client.ParameterServers;
import org.fleetgrad.client.PsClient;
import org.fleetgrad.client.PullResult;
import org.fleetgrad.client.PullResult.Pulled;
import org.fleetgrad.protocol.ParameterVersion;
import org.fleetgrad.protocol.ServerAddresses;
import org.fleetgrad.protocol.messages.ParameterMessages.VersionReply;
import org.fleetgrad.protocol.messages.RunMessages.PutAccuracyRequest;

/**
 * The parameter server over HTTP, or several servers with a partition each. Each purpose has a client with its own
 * timeouts. Thread-safe.
 */
public final class ParameterServer implements Follower.Source {

    private static final Duration SHORT_TIMEOUT = Duration.ofSeconds(1);
    private static final Duration READ_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration REPORT_RETRY_TIME = Duration.ofSeconds(5);

    private final ParameterServers pullClient;
    private final PsClient versionClient;
    private final PsClient reportClient;

    /** Makes clients for the servers, with the keys and the trust of {@code access}. */
    public ParameterServer(ServerAddresses servers, ClientOptions access) {
        // No retries: the follower pauses by itself, and reports at once that the server is unreachable.
        ClientOptions longPolling =
                access.withTimeouts(SHORT_TIMEOUT, READ_TIMEOUT).withRetryFor(Duration.ZERO);
        this.pullClient = ParameterServers.of(servers, longPolling);
        this.versionClient = new PsClient(servers.lead(), longPolling.withTimeouts(SHORT_TIMEOUT, SHORT_TIMEOUT));
        this.reportClient = new PsClient(servers.lead(), longPolling.withRetryFor(REPORT_RETRY_TIME));
    }

    @Override
    public PullResult pull(Optional<ParameterVersion> known, Duration wait) throws IOException {
        return known.isPresent() ? pullClient.pullOtherThan(known.get(), wait) : pullClient.pull();
    }

    @Override
    public VersionReply version() throws IOException {
        return versionClient.version();
    }

    /**
     * Requests the newest version and returns the number of steps from {@code served} to it; empty if the server does not answer
     * or has another generation.
     */
    public Optional<Long> lag(ParameterVersion served) {
        try {
            VersionReply newest = version();
            return newest.generation().equals(served.generation())
                    ? Optional.of(Math.max(0, newest.version() - served.version()))
                    : Optional.empty();
        } catch (IOException unreachable) {
            return Optional.empty();
        }
    }

    /** Returns whether workers are registered; true if the server does not answer. */
    public boolean isTraining() {
        try {
            return !versionClient.status().workers().isEmpty();
        } catch (IOException unreachable) {
            return true;
        }
    }

    /** Reports an evaluation, and sends the version if it is the best; see {@link PsClient#putAccuracy}. */
    public void report(PutAccuracyRequest evaluation, Pulled evaluated) throws IOException {
        reportClient.putAccuracy(evaluation, evaluated);
    }

    @Override
    public void close() {
        pullClient.closeIdle();
        versionClient.closeIdle();
        reportClient.closeIdle();
    }
}
