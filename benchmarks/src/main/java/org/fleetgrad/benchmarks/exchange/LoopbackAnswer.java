package org.fleetgrad.benchmarks.exchange;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/**
 * The limit of any server on this machine: loopback TCP. One thread for each connection reads a request to its end and
 * sends always the same answer, without parsing anything.
 */
public final class LoopbackAnswer implements AutoCloseable {

    private final ServerSocket server = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    private final byte[] answer;
    private final int requestBytes;

    /** Listens. Each request has {@code requestBytes} bytes, and each answer a body of {@code bodyBytes}. */
    public LoopbackAnswer(int requestBytes, int bodyBytes) throws IOException {
        this.requestBytes = requestBytes;
        byte[] head =
                ("HTTP/1.1 200 OK\r\nContent-Length: " + bodyBytes + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII);
        answer = new byte[head.length + bodyBytes];
        System.arraycopy(head, 0, answer, 0, head.length);
        Thread acceptor = new Thread(this::accept, "loopback");
        acceptor.setDaemon(true);
        acceptor.start();
    }

    public URI address() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    private void accept() {
        while (!server.isClosed()) {
            try {
                Socket socket = server.accept();
                socket.setTcpNoDelay(true);
                Thread thread = new Thread(() -> serve(socket), "loopback-connection");
                thread.setDaemon(true);
                thread.start();
            } catch (IOException closed) {
                return;
            }
        }
    }

    private void serve(Socket socket) {
        try (socket) {
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] buffer = new byte[1 << 16];
            while (true) {
                for (int left = requestBytes; left > 0; ) {
                    int read = in.read(buffer, 0, Math.min(left, buffer.length));
                    if (read < 0) {
                        return;
                    }
                    left -= read;
                }
                out.write(answer);
            }
        } catch (IOException gone) {
            // The client closed the connection.
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
