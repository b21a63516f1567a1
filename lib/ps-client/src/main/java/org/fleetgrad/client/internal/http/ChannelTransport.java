package org.fleetgrad.client.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.files.transfer.TransferRate;
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

    private final Addresses addresses;
    private final Settings settings;
    private final StalledTransferMonitor monitor;
    private final Deque<Connection> idle = new ConcurrentLinkedDeque<>();
    /** How often idle connections were closed. An exchange that was under way meanwhile does not keep its connection. */
    private final AtomicLong closings = new AtomicLong();

    /** Returns the addresses to try, one after the other. */
    @FunctionalInterface
    private interface Addresses {
        List<? extends SocketAddress> now() throws IOException;
    }

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

    @Override
    public Response exchange(Request request) throws IOException {
        // A channel does not work in an interrupted thread, not even to close the connection in order.
        boolean wasInterrupted = Thread.interrupted();
        try {
            return exchange(request, connection());
        } finally {
            if (wasInterrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Response exchange(Request request, Connection connection) throws IOException {
        StalledTransferMonitor.Transfer transfer = monitor.begin(settings.gracePeriod(request), connection::close);
        long closingsBefore = closings.get();
        boolean isReusable = false;
        try (transfer) {
            connection.connect(addresses, settings.connectTimeout());
            connection.send(request.head(host), request.body(), transfer.rate());
            transfer.rate().limitSilence(settings.silence(request));
            ResponseReader reader =
                    new ResponseReader(() -> connection.received(transfer.rate()), settings.maxResponseBytes());
            Response response = reader.read();
            isReusable = reader.isConnectionKept() && connection.isAllRead();
            return response;
        } catch (IOException failure) {
            throw transfer.isEnded() ? transfer.rate().tooSlow() : failure;
        } finally {
            // The transfer is closed: if the monitor has not ended it by now, it never will.
            if (isReusable && !transfer.isEnded()) {
                idle.push(connection);
                // Only now: whoever closes the idle ones from here on finds it.
                if (closings.get() != closingsBefore) {
                    closeAllIdle();
                }
            } else {
                connection.close();
            }
        }
    }

    @Override
    public void closeIdle() {
        closings.incrementAndGet();
        closeAllIdle();
    }

    private void closeAllIdle() {
        // The collector closes no channel: without this, its descriptor stays until the process ends.
        for (Connection known = idle.poll(); known != null; known = idle.poll()) {
            known.close();
        }
    }

    /** Returns the connection that was used last and is still open, or a new one. */
    private Connection connection() {
        for (Connection known = idle.poll(); known != null; known = idle.poll()) {
            if (known.isOpen()) {
                return known;
            }
            known.close();
        }
        return new Connection();
    }

    /**
     * One connection to a server, with its buffers outside the heap. One thread at a time uses it; another may close
     * it, which ends the first one's wait.
     */
    private static final class Connection {

        /** Of each buffer. A gradient of 247 KB takes two system calls. */
        private static final int BUFFER_BYTES = 128 * 1024;

        /**
         * Both buffers are empty until there is a connection: attempts to reach a dead server take no memory outside
         * the heap.
         */
        private ByteBuffer out = ByteBuffer.allocate(0);

        /** Received bytes that are not read yet lie between position and limit. */
        private ByteBuffer in = ByteBuffer.allocate(0);

        private @Nullable SocketChannel channel;
        private boolean isClosed;

        /** Connects if it is not connected yet. */
        void connect(Addresses addresses, Duration timeout) throws IOException {
            if (channel != null) {
                return;
            }
            IOException last = new IOException("the server's name has no address");
            for (SocketAddress address : addresses.now()) {
                try {
                    connect(address, timeout);
                    out = ByteBuffer.allocateDirect(BUFFER_BYTES);
                    in = ByteBuffer.allocateDirect(BUFFER_BYTES).limit(0);
                    return;
                } catch (IOException away) {
                    last = away;
                }
            }
            throw last;
        }

        private void connect(SocketAddress address, Duration timeout) throws IOException {
            boolean isTcp = address instanceof InetSocketAddress;
            SocketChannel opened = take(isTcp ? SocketChannel.open() : SocketChannel.open(StandardProtocolFamily.UNIX));
            try {
                if (isTcp) {
                    opened.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    opened.socket().connect(address, Math.toIntExact(Math.min(timeout.toMillis(), Integer.MAX_VALUE)));
                } else {
                    boolean unused = opened.connect(address);
                }
            } catch (SocketTimeoutException slow) {
                opened.close();
                throw new SocketTimeoutException(
                        "no connection to %s within %d ms".formatted(address, timeout.toMillis()));
            } catch (IOException refused) {
                opened.close();
                throw new IOException("no connection to %s: %s".formatted(address, refused.getMessage()), refused);
            }
        }

        private synchronized SocketChannel take(SocketChannel opened) throws IOException {
            if (isClosed) {
                opened.close();
            }
            channel = opened;
            return opened;
        }

        /** Sends a request. */
        void send(byte[] head, List<ByteBuffer> body, TransferRate rate) throws IOException {
            out.clear();
            copy(ByteBuffer.wrap(head), rate);
            for (ByteBuffer part : body) {
                copy(part.duplicate(), rate);
            }
            flush(rate);
        }

        private void copy(ByteBuffer part, TransferRate rate) throws IOException {
            while (part.hasRemaining()) {
                if (!out.hasRemaining()) {
                    flush(rate);
                }
                int count = Math.min(part.remaining(), out.remaining());
                out.put(part.slice().limit(count));
                part.position(part.position() + count);
            }
        }

        private void flush(TransferRate rate) throws IOException {
            out.flip();
            while (out.hasRemaining()) {
                rate.count(channel().write(out));
            }
            out.clear();
        }

        /** Returns the received bytes that were not read yet; waits until there are some. */
        ByteBuffer received(TransferRate rate) throws IOException {
            if (!in.hasRemaining()) {
                in.clear();
                int read;
                try {
                    read = channel().read(in);
                } finally {
                    in.flip();
                }
                if (read < 0) {
                    throw new EOFException("the server closed the connection");
                }
                rate.count(read);
            }
            return in;
        }

        private SocketChannel channel() throws IOException {
            SocketChannel open = channel;
            if (open == null) {
                throw new IOException("the connection is not open");
            }
            return open;
        }

        /** Returns whether all received bytes were read. */
        boolean isAllRead() {
            return !in.hasRemaining();
        }

        /** Returns whether the server has neither closed it nor sent unrequested bytes. */
        boolean isOpen() {
            try {
                SocketChannel open = channel();
                open.configureBlocking(false);
                int read = open.read(in.clear());
                open.configureBlocking(true);
                return read == 0;
            } catch (IOException gone) {
                return false;
            } finally {
                in.clear().limit(0);
            }
        }

        synchronized void close() {
            isClosed = true;
            if (channel != null) {
                try {
                    channel.close();
                } catch (IOException gone) {
                    // The connection counts as closed anyway.
                }
            }
        }
    }
}
