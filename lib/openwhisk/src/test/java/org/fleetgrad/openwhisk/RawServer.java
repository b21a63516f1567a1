package org.fleetgrad.openwhisk;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Answers every request with the bytes that a test wrote, then closes the connection. Records the heads of the requests.
 */
final class RawServer implements AutoCloseable {

    /** Writes a response. */
    interface Script {
        void answer(OutputStream out) throws IOException, InterruptedException;
    }

    private final ServerSocket server;
    private final Script script;
    private final List<String> heads = new CopyOnWriteArrayList<>();

    RawServer(Script script) throws IOException {
        this.server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        this.script = script;
        Thread thread = new Thread(this::serve, "raw-server");
        thread.setDaemon(true);
        thread.start();
    }

    /** Answers with a status, additional header lines, each with its line end, and a body with its length. */
    static RawServer answering(int status, String headers, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        return new RawServer(out -> {
            out.write("HTTP/1.1 %d Said\r\n%sContent-Length: %d\r\n\r\n"
                    .formatted(status, headers, bytes.length)
                    .getBytes(StandardCharsets.UTF_8));
            out.write(bytes);
        });
    }

    private void serve() {
        while (!server.isClosed()) {
            try (Socket socket = server.accept()) {
                heads.add(head(socket.getInputStream()));
                script.answer(socket.getOutputStream());
                socket.getOutputStream().flush();
                // Reads the rest of the request: the close would otherwise discard the answer.
                socket.shutdownOutput();
                socket.setSoTimeout(60_000);
                socket.getInputStream().skip(Long.MAX_VALUE);
            } catch (InterruptedException | IOException gone) {
                // The client closed the connection, or the test closed the server.
            }
        }
    }

    private static String head(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            int next = in.read();
            // A TLS handshake: a plain server answers it as any other garbage.
            if (next < 0 || (head.isEmpty() && !Character.isLetter(next))) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    URI uri() {
        return URI.create("http://127.0.0.1:" + server.getLocalPort());
    }

    List<String> heads() {
        return List.copyOf(heads);
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
