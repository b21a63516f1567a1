package org.fleetgrad.inference.grpc;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.Http2Headers;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;

/** A connection of HTTP/2, frame by frame: a client that does what no library would. */
final class RawStreams implements AutoCloseable {

    static final int DATA = 0;
    static final int HEADERS = 1;
    static final int RESET = 3;
    static final int SETTINGS = 4;
    static final int GOAWAY = 7;
    static final int END_STREAM = 1;
    private static final int END_HEADERS = 4;
    private static final int ACKNOWLEDGED = 1;
    private static final int INITIAL_WINDOW_SIZE = 4;
    private static final int PATIENCE_MS = 60_000;

    private final Socket socket;
    private final DataOutputStream out;
    private final DataInputStream in;
    private final DefaultHttp2HeadersDecoder decoder = new DefaultHttp2HeadersDecoder();

    record Frame(int type, int flags, int stream, byte[] content) {
        boolean isLast() {
            return (flags & END_STREAM) != 0;
        }
    }

    /** Connects; the server may send so many bytes of a stream before it has to wait. */
    RawStreams(int port, int window) throws IOException {
        socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(PATIENCE_MS);
        out = new DataOutputStream(socket.getOutputStream());
        in = new DataInputStream(socket.getInputStream());
        out.write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        ByteArrayOutputStream settings = new ByteArrayOutputStream();
        DataOutputStream each = new DataOutputStream(settings);
        each.writeShort(INITIAL_WINDOW_SIZE);
        each.writeInt(window);
        frame(SETTINGS, 0, 0, settings.toByteArray());
    }

    void frame(int type, int flags, int stream, byte[] content) throws IOException {
        out.writeByte(content.length >> 16);
        out.writeShort(content.length);
        out.writeByte(type);
        out.writeByte(flags);
        out.writeInt(stream);
        out.write(content);
        out.flush();
    }

    /** Begins a call. */
    void call(int stream, String method) throws IOException {
        call(stream, method, "identity");
    }

    /** Begins a call whose message is compressed by gzip. */
    void compressedCall(int stream, String method) throws IOException {
        call(stream, method, "gzip");
    }

    private void call(int stream, String method, String encoding) throws IOException {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        header(block, ":method", "POST");
        header(block, ":scheme", "http");
        header(block, ":path", "/inference.GRPCInferenceService/" + method);
        header(block, ":authority", "localhost");
        header(block, "content-type", "application/grpc");
        header(block, "te", "trailers");
        header(block, "grpc-encoding", encoding);
        frame(HEADERS, END_HEADERS, stream, block.toByteArray());
    }

    /** Sends a message, or a part of one, with the length that it claims. */
    void message(int stream, int claimed, byte[] bytes, boolean isLast) throws IOException {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        DataOutputStream message = new DataOutputStream(content);
        message.writeByte(0);
        message.writeInt(claimed);
        message.write(bytes);
        frame(DATA, isLast ? END_STREAM : 0, stream, content.toByteArray());
    }

    private static void header(ByteArrayOutputStream block, String name, String value) {
        block.write(0);
        block.write(name.length());
        block.writeBytes(name.getBytes(StandardCharsets.US_ASCII));
        block.write(value.length());
        block.writeBytes(value.getBytes(StandardCharsets.US_ASCII));
    }

    /** Returns the next frame that is about a call, or the connection's end as a GOAWAY without content. */
    Frame next() throws IOException {
        try {
            while (true) {
                int length = in.readUnsignedByte() << 16 | in.readUnsignedShort();
                Frame frame =
                        new Frame(in.readUnsignedByte(), in.readUnsignedByte(), in.readInt(), in.readNBytes(length));
                if (frame.type() == SETTINGS && frame.flags() != ACKNOWLEDGED) {
                    frame(SETTINGS, ACKNOWLEDGED, 0, new byte[0]);
                }
                if (frame.type() == DATA
                        || frame.type() == HEADERS
                        || frame.type() == RESET
                        || frame.type() == GOAWAY) {
                    return frame;
                }
            }
        } catch (EOFException | SocketException closed) {
            return new Frame(GOAWAY, 0, 0, new byte[0]);
        }
    }

    Http2Headers headers(Frame frame) throws Exception {
        return decoder.decodeHeaders(frame.stream(), Unpooled.wrappedBuffer(frame.content()));
    }

    /** Returns the status that a call ends with, and its message. */
    String end(int stream) throws Exception {
        for (Frame frame = next(); frame.type() != GOAWAY; frame = next()) {
            if (frame.type() == HEADERS) {
                Http2Headers headers = headers(frame);
                if (frame.stream() == stream && frame.isLast()) {
                    return "%s %s".formatted(headers.get("grpc-status"), headers.get("grpc-message"));
                }
            }
            if (frame.type() == RESET && frame.stream() == stream) {
                return "reset";
            }
        }
        return "closed";
    }

    /** Ends the connection, also for a thread that reads from it. */
    void end() throws IOException {
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
