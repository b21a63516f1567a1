package org.fleetgrad.pipeline.channel.socket;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.fleetgrad.files.text.Printable;
import org.fleetgrad.pipeline.channel.FrameLink;
import org.fleetgrad.pipeline.channel.FrameQueue;
import org.fleetgrad.pipeline.channel.NeighbourFailedException;
import org.fleetgrad.pipeline.channel.socket.FrameCodec.FrameRefusedException;
import org.fleetgrad.pipeline.frame.Frame;
import org.jspecify.annotations.Nullable;

/**
 * One end of the connection between two stages: frames leave in one direction and arrive in the other, each through a
 * bounded queue. Two threads of its own move them, so that a stage computes while the next frame is received and the last
 * one is sent. A full queue stops the reader, and TCP backpressure then stops the other side's writer.
 *
 * <p>Each message begins with its kind (1 byte) and its length (4 bytes). A length beyond what the border allows is refused
 * before anything is allocated. Thread-safe.
 */
public final class SocketLink implements FrameLink, AutoCloseable {

    /** The kinds of messages: a frame of the sender. */
    private static final int FRAME = 0;

    /** The sender's stage failed; the bytes are the reason. */
    private static final int FAILED = 1;

    /** No frame will follow. */
    private static final int SENDS_NO_MORE = 2;

    /** No further frame will be received. */
    private static final int RECEIVES_NO_MORE = 3;

    private static final int LONGEST_REASON = 4096;
    private static final int BUFFER_BYTES = 1 << 16;
    private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(5);

    private final Socket socket;
    private final Border border;
    private final FrameCodec codec;
    private final FrameQueue incoming;
    private final FrameQueue outgoing;
    private final DataOutputStream out;
    private final Thread reader;
    private final Thread writer;
    private volatile boolean isClosed;
    private volatile boolean hasReceiverClosed;
    /** Whether the other side signalled that no frame will follow; confined to the reader. */
    private boolean hasRemoteFinished;

    /** Makes the link after the handshake. */
    SocketLink(Socket socket, Border border, int capacity) throws IOException {
        this.socket = socket;
        this.border = border;
        this.codec = new FrameCodec(border);
        socket.setTcpNoDelay(true);
        this.out = new DataOutputStream(socket.getOutputStream());
        String name = "the connection of %s".formatted(border.text());
        this.incoming = new FrameQueue(name, capacity);
        this.outgoing = new FrameQueue(name, 1);
        this.reader = new Thread(this::readAll, "read-border-" + border.name());
        this.writer = new Thread(this::writeAll, "write-border-" + border.name());
        reader.setDaemon(true);
        writer.setDaemon(true);
        reader.start();
        writer.start();
    }

    /**
     * Connects to the stage at the other side of a border.
     *
     * @param capacity received frames that may wait, 1 or more; one frame may wait to be sent
     * @param limit    for the connection and for each step of the handshake
     */
    public static SocketLink connect(
            InetSocketAddress neighbour, RunToken token, Border border, int capacity, Duration limit)
            throws IOException {
        Socket socket = new Socket();
        try {
            socket.connect(neighbour, Math.toIntExact(limit.toMillis()));
            new Handshake(token, limit).call(socket, border.text());
            return new SocketLink(socket, border, capacity);
        } catch (SocketTimeoutException late) {
            socket.close();
            throw new IOException(
                    "%s does not answer for %s after %s".formatted(neighbour, border.text(), limit), late);
        } catch (IOException | RuntimeException failed) {
            socket.close();
            throw failed;
        }
    }

    @Override
    public void send(Frame frame) throws IOException, InterruptedException {
        outgoing.send(frame);
    }

    @Override
    public Frame receive() throws IOException, InterruptedException {
        return incoming.receive();
    }

    @Override
    public void fail(Throwable cause) {
        incoming.fail(cause);
        outgoing.fail(cause);
    }

    @Override
    public void finish() {
        outgoing.close();
        hasReceiverClosed = true;
        incoming.close();
        attempt(() -> write(RECEIVES_NO_MORE, null));
    }

    private void readAll() {
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(socket.getInputStream(), BUFFER_BYTES))) {
            while (true) {
                int kind = in.read();
                if (kind < 0 && hasRemoteFinished) {
                    // It has sent everything, and will read nothing more. What it sent is in the queue.
                    outgoing.close();
                    return;
                }
                if (kind < 0) {
                    throw new EOFException("the connection ended without a farewell: the other stage died");
                }
                if (handle(kind, in)) {
                    return;
                }
            }
        } catch (IOException broken) {
            failed(broken);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (OutOfMemoryError full) {
            failed(new IOException("no memory for a frame of up to %d bytes".formatted(border.frameBytes()), full));
        }
    }

    /** Handles one message, and returns whether it was the last one. */
    private boolean handle(int kind, DataInputStream in) throws IOException, InterruptedException {
        switch (kind) {
            case FRAME -> enqueue(codec.decode(body(in, border.frameBytes())));
            case FAILED -> {
                String reason =
                        StandardCharsets.UTF_8.decode(body(in, LONGEST_REASON)).toString();
                fail(new IOException(Printable.text(reason)));
                return true;
            }
            case SENDS_NO_MORE -> {
                hasRemoteFinished = true;
                incoming.close();
            }
            case RECEIVES_NO_MORE -> outgoing.close();
            default ->
                throw new FrameRefusedException("a message over the border of %s is of kind %d; there are 0 to 3"
                        .formatted(border.text(), kind));
        }
        return false;
    }

    /** Queues a frame. Frames in flight when the receiver closed are dropped: this side has not failed. */
    private void enqueue(Frame frame) throws IOException, InterruptedException {
        try {
            incoming.send(frame);
        } catch (NeighbourFailedException failed) {
            throw failed;
        } catch (IOException closed) {
            if (!hasReceiverClosed) {
                throw closed;
            }
        }
    }

    private ByteBuffer body(DataInputStream in, int longest) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > longest) {
            throw new FrameRefusedException("a message over the border of %s announces %s bytes, accepted are %d"
                    .formatted(border.text(), Integer.toUnsignedString(length), longest));
        }
        ByteBuffer body = ByteBuffer.allocate(length);
        try {
            in.readFully(body.array());
        } catch (EOFException torn) {
            throw new EOFException("the connection ended in the middle of a message of %d bytes".formatted(length));
        }
        return body;
    }

    private void failed(IOException cause) {
        if (!isClosed) {
            fail(cause);
        }
    }

    private void writeAll() {
        try {
            while (true) {
                write(outgoing.receive());
            }
        } catch (EOFException closed) {
            attempt(() -> write(SENDS_NO_MORE, null));
        } catch (NeighbourFailedException failed) {
            attempt(() -> write(FAILED, reason(failed)));
        } catch (IOException broken) {
            failed(broken);
        } catch (RuntimeException refused) {
            failed(new IOException(refused.getMessage(), refused));
            attempt(() -> write(FAILED, reason(refused)));
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static ByteBuffer reason(Throwable failure) {
        Throwable cause = failure.getCause() == null ? failure : failure.getCause();
        String text = cause.getMessage() == null ? cause.toString() : cause.getMessage();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.wrap(bytes, 0, Math.min(bytes.length, LONGEST_REASON));
    }

    private void write(Frame frame) throws IOException {
        // A frame that does not belong here is refused before its first byte.
        byte[] header = codec.header(frame);
        synchronized (out) {
            out.writeByte(FRAME);
            out.writeInt(header.length + Math.toIntExact(frame.bytes()));
            out.write(header);
            FrameCodec.write(frame.values(), out);
            out.flush();
        }
    }

    private void write(int kind, @Nullable ByteBuffer body) throws IOException {
        synchronized (out) {
            out.writeByte(kind);
            if (body != null) {
                out.writeInt(body.remaining());
                out.write(body.array(), body.arrayOffset() + body.position(), body.remaining());
            }
            out.flush();
        }
    }

    private interface Writing {
        void run() throws IOException;
    }

    private void attempt(Writing writing) {
        try {
            writing.run();
        } catch (IOException broken) {
            failed(broken);
        }
    }

    /**
     * Notifies the other side that this one has finished, waits until all sent frames are written, and closes the
     * connection.
     */
    @Override
    public void close() throws IOException {
        outgoing.close();
        try {
            writer.join(CLOSE_TIMEOUT.toMillis());
            isClosed = true;
            // Read what the other side sent last before the connection ends: it may be the reason of its failure.
            socket.shutdownOutput();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        } catch (IOException alreadyOver) {
            // The other side has ended it.
        } finally {
            isClosed = true;
            socket.close();
        }
    }
}
