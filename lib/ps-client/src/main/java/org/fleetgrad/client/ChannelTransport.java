package org.fleetgrad.client;

import java.io.IOException;
import java.time.Duration;
import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over channels that are kept alive between requests, with buffers outside the heap and the part of HTTP/1.1 that a
 * parameter server needs. It supports neither TLS nor proxies: {@link BlockingTransport} does. Nothing is repeated, redirected or
 * cached here.
 *
 * <p>Chosen by measurement (docs/adr, 5 and 36): a push-and-pull of 247 KB costs a worker half of the processor time that it costs with
 * a client library. An interrupt ends an exchange, and remains set.
 */
final class ChannelTransport implements Transport {

    private final ServerEndPoint server;
    private final ClientOptions options;
    private final StalledTransferMonitor monitor;
    private final Deque<ChannelConnection> idle = new ConcurrentLinkedDeque<>();

    ChannelTransport(ServerEndPoint server, ClientOptions options, StalledTransferMonitor monitor) {
        this.server = server;
        this.options = options;
        this.monitor = monitor;
    }

    /** An exchange that another thread may end. */
    private static final class Call {
        private @Nullable ChannelConnection connection;
        private boolean isEnded;

        synchronized ChannelConnection over(ChannelConnection used) {
            connection = used;
            end(isEnded);
            return used;
        }

        /** Releases the connection, which may then serve another call; false if this call was ended before as too slow. */
        synchronized boolean release() {
            connection = null;
            return !isEnded;
        }

        synchronized void end(boolean isTooSlow) {
            isEnded = isTooSlow;
            if (isTooSlow && connection != null) {
                connection.close();
            }
        }
    }

    @Override
    public Response exchange(Request request) throws IOException {
        // A channel does not work in an interrupted thread, not even to close the connection in order.
        boolean wasInterrupted = Thread.interrupted();
        Duration silence = options.readTimeout().plus(request.silence());
        // A connection, a body and a response: each may begin late.
        Duration gracePeriod = silence.plus(options.readTimeout()).plus(options.connectTimeout());
        Call call = new Call();
        try (StalledTransferMonitor.Transfer transfer = monitor.begin(gracePeriod, () -> call.end(true))) {
            try {
                return exchange(request, silence, transfer, call);
            } catch (IOException failure) {
                throw transfer.isEnded() ? transfer.rate().tooSlow() : failure;
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Response exchange(Request request, Duration silence, StalledTransferMonitor.Transfer transfer, Call call)
            throws IOException {
        ChannelConnection connection = call.over(connection());
        boolean isReusable = false;
        try {
            connection.connect(options.connectTimeout());
            connection.send(RequestHead.of(server, request), request.body(), transfer.rate());
            transfer.rate().limitSilence(silence);
            ResponseReader answer = new ResponseReader(connection.input(transfer.rate()), options.maxResponseBytes());
            Response response = answer.read();
            isReusable = answer.isConnectionKept() && connection.isAllRead();
            return response;
        } finally {
            if (isReusable && call.release()) {
                idle.push(connection);
            } else {
                connection.close();
            }
        }
    }

    /** Returns the connection that was used last and is still open, or a new one. */
    private ChannelConnection connection() throws IOException {
        for (ChannelConnection known = idle.poll(); known != null; known = idle.poll()) {
            if (known.isOpen()) {
                return known;
            }
            known.close();
        }
        return server.open();
    }
}
