package org.fleetgrad.load;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** A server for tests: counts its connections, and replies to each body as the test defines. */
public final class TinyPredictServer implements AutoCloseable {

    private final ServerSocket socket;
    private final Function<String, Said> answers;
    private final List<Socket> open = new CopyOnWriteArrayList<>();
    private final AtomicInteger connections = new AtomicInteger();
    private final AtomicInteger requests = new AtomicInteger();

    /**
     * Its reply to one request.
     *
     * @param body empty to close the connection without a response
     * @param last whether it closes the connection afterwards
     */
    public record Said(int status, String body, boolean last) {
        public static Said ok(String body) {
            return new Said(200, body, false);
        }
    }

    public TinyPredictServer(Function<String, Said> answers) throws IOException {
        this.answers = answers;
        this.socket = new ServerSocket(0, 200, InetAddress.getLoopbackAddress());
        Thread accepting = new Thread(this::accept, "tiny-server");
        accepting.setDaemon(true);
        accepting.start();
    }

    public String url() {
        return "http://127.0.0.1:" + socket.getLocalPort();
    }

    public int connections() {
        return connections.get();
    }

    public int requests() {
        return requests.get();
    }

    private void accept() {
        try {
            while (true) {
                Socket connection = socket.accept();
                connections.incrementAndGet();
                open.add(connection);
                Thread serving = new Thread(() -> serve(connection), "tiny-connection");
                serving.setDaemon(true);
                serving.start();
            }
        } catch (IOException closed) {
            // The test is over.
        }
    }

    private void serve(Socket connection) {
        try (connection) {
            InputStream in = new BufferedInputStream(connection.getInputStream());
            while (true) {
                int length = -1;
                for (String line = line(in); !line.isEmpty(); line = line(in)) {
                    if (line.toLowerCase(Locale.ROOT).startsWith("content-length:")) {
                        length = Integer.parseInt(line.substring(15).strip());
                    }
                }
                String body = new String(in.readNBytes(length), StandardCharsets.UTF_8);
                requests.incrementAndGet();
                Said said = answers.apply(body);
                if (said.body().isEmpty()) {
                    return;
                }
                connection.getOutputStream().write(message(said));
                if (said.last()) {
                    return;
                }
            }
        } catch (IOException gone) {
            // So is the client.
        }
    }

    private static byte[] message(Said said) {
        return "HTTP/1.1 %d X\r\nContent-Length: %d\r\n%s\r\n%s"
                .formatted(said.status(), said.body().length(), said.last() ? "Connection: close\r\n" : "", said.body())
                .getBytes(StandardCharsets.UTF_8);
    }

    private static String line(InputStream in) throws IOException {
        StringBuilder line = new StringBuilder();
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new IOException("end");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    @Override
    public void close() throws IOException {
        socket.close();
        for (Socket connection : open) {
            connection.close();
        }
    }
}
