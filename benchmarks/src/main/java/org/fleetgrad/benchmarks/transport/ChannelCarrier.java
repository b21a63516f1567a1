package org.fleetgrad.benchmarks.transport;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** A blocking channel with buffers outside the heap, so that the JDK makes no copy. */
final class ChannelCarrier implements Carrier {

    private static final int HEAD_BYTES = 1 << 13;
    /** A body is longer than the values by a few kilobytes of JSON. */
    private static final int SLACK = 1 << 16;

    private final URI uri;
    private final SocketChannel channel;
    private final ByteBuffer head = ByteBuffer.allocateDirect(HEAD_BYTES);
    private final ByteBuffer data;
    private final ByteBuffer answer;

    ChannelCarrier(URI uri, byte[] values) throws IOException {
        this.uri = uri;
        data = ByteBuffer.allocateDirect(values.length).put(values).flip();
        answer = ByteBuffer.allocateDirect(values.length + SLACK);
        channel = SocketChannel.open(new InetSocketAddress(uri.getHost(), uri.getPort()));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
    }

    @Override
    public int push(byte[] header) throws IOException {
        head.clear()
                .put(Head.of(uri, (long) header.length + data.capacity()))
                .put(header)
                .flip();
        data.rewind();
        ByteBuffer[] parts = {head, data};
        while (data.hasRemaining()) {
            channel.write(parts);
        }
        answer.clear();
        int end = -1;
        while (end < 0) {
            read();
            end = endOfHead();
        }
        byte[] text = new byte[end];
        answer.get(0, text);
        int length = Head.bodyLength(new String(text, StandardCharsets.US_ASCII));
        while (answer.position() < end + length) {
            read();
        }
        return length;
    }

    private void read() throws IOException {
        if (channel.read(answer) < 0) {
            throw new EOFException("the answer ended after %d bytes".formatted(answer.position()));
        }
    }

    private int endOfHead() {
        for (int i = 3; i < answer.position(); i++) {
            if (answer.get(i) == '\n' && answer.get(i - 1) == '\r' && answer.get(i - 2) == '\n') {
                return i + 1;
            }
        }
        return -1;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
