package org.fleetgrad.client.internal.http;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import java.util.List;
import org.fleetgrad.files.transfer.TransferRate;
import org.jspecify.annotations.Nullable;

/**
 * One connection to a server, with its buffers outside the heap. One thread at a time uses it; another may close it,
 * which ends the first one's wait.
 */
final class ChannelConnection implements AutoCloseable {

    /** Of each buffer. A gradient of 247 KB takes two system calls. */
    private static final int BUFFER_BYTES = 128 * 1024;

    private final Addresses addresses;

    /** Returns the addresses to try, one after the other. */
    @FunctionalInterface
    interface Addresses {
        List<? extends SocketAddress> now() throws IOException;
    }

    /**
     * Both buffers are empty until there is a connection: attempts to reach a dead server take no memory outside the
     * heap.
     */
    private ByteBuffer out = ByteBuffer.allocate(0);

    /** Received bytes that are not read yet lie between position and limit. */
    private ByteBuffer in = ByteBuffer.allocate(0);

    private final Object closing = new Object();
    private @Nullable SocketChannel channel;
    private boolean isClosed;

    ChannelConnection(Addresses addresses) {
        this.addresses = addresses;
    }

    /** Connects if it is not connected yet. */
    void connect(Duration timeout) throws IOException {
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
            throw new SocketTimeoutException("no connection to %s within %d ms".formatted(address, timeout.toMillis()));
        } catch (IOException refused) {
            opened.close();
            throw new IOException("no connection to %s: %s".formatted(address, refused.getMessage()), refused);
        }
    }

    private SocketChannel take(SocketChannel opened) throws IOException {
        synchronized (closing) {
            if (isClosed) {
                opened.close();
            }
            channel = opened;
        }
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

    /** Returns the received bytes, read from the channel on demand. */
    ResponseReader.Input input(TransferRate rate) {
        return new ResponseReader.Input() {
            @Override
            public ByteBuffer some() throws IOException {
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
        };
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

    @Override
    public void close() {
        synchronized (closing) {
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
