package org.fleetgrad.client.internal.http;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.jspecify.annotations.Nullable;

/**
 * Exchanges over channels that are kept alive between requests, with buffers outside the heap and the part of HTTP/1.1
 * that a parameter server needs. It supports neither TLS nor proxies: {@link BlockingTransport} does. Nothing is
 * repeated, redirected or cached here.
 *
 * <p>Chosen by measurement (docs/adr, 5 and 36): a push-and-pull of 247 KB costs a worker half of the processor time
 * that it costs with a client library. An interrupt ends an exchange, and remains set.
 */
final class ChannelTransport implements Transport {

    private static final int HTTP_PORT = 80;

    /** Value of the header Host. */
    private final String host;

    private final ChannelConnection.Addresses addresses;
    private final Settings settings;
    private final StalledTransferMonitor monitor;
    private final Deque<ChannelConnection> idle = new ConcurrentLinkedDeque<>();

    /** @param address such as {@code http://host:29500} or {@code unix:/run/fleetgrad.sock} */
    ChannelTransport(URI address, Settings settings, StalledTransferMonitor monitor) {
        this.settings = settings;
        this.monitor = monitor;
        if ("unix".equals(address.getScheme())) {
            this.host = "localhost";
            this.addresses = () -> List.of(UnixDomainSocketAddress.of(address.getPath()));
            return;
        }
        int port = address.getPort() < 0 ? HTTP_PORT : address.getPort();
        // RFC 9112, 3.2: without user information, and without the scheme's default port.
        this.host = address.getPort() < 0 ? address.getHost() : address.getHost() + ":" + port;
        // Resolved for each connection: the name may belong to another server by then.
        this.addresses = () -> Arrays.stream(InetAddress.getAllByName(address.getHost()))
                .map(found -> new InetSocketAddress(found, port))
                .toList();
    }

    /** Returns the value of the header Host. */
    String host() {
        return host;
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

        /**
         * Releases the connection, which may then serve another call; false if this call was ended before as too slow.
         */
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
        Call call = new Call();
        try (StalledTransferMonitor.Transfer transfer =
                monitor.begin(settings.gracePeriod(request), () -> call.end(true))) {
            try {
                return exchange(request, transfer, call);
            } catch (IOException failure) {
                throw transfer.isEnded() ? transfer.rate().tooSlow() : failure;
            }
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Response exchange(Request request, StalledTransferMonitor.Transfer transfer, Call call) throws IOException {
        ChannelConnection connection = call.over(connection());
        boolean isReusable = false;
        try {
            connection.connect(settings.connectTimeout());
            connection.send(request.head(host), request.body(), transfer.rate());
            transfer.rate().limitSilence(settings.silence(request));
            ResponseReader reader = new ResponseReader(connection.input(transfer.rate()), settings.maxResponseBytes());
            Response response = reader.read();
            isReusable = reader.isConnectionKept() && connection.isAllRead();
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
        return new ChannelConnection(addresses);
    }
}
