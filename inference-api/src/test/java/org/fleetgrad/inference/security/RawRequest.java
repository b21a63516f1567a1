package org.fleetgrad.inference.security;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/** A request as its bytes: a client would normalize its path first. */
final class RawRequest {

    private static final int PATIENCE_MS = 60_000;

    private RawRequest() {}

    /** Sends a head without a body and returns the response's status. */
    static int status(URI server, String method, String path, String... headers) throws IOException {
        try (Socket socket = new Socket(server.getHost(), server.getPort())) {
            socket.setSoTimeout(PATIENCE_MS);
            String head = "%s %s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\nContent-Length: 0\r\n%s\r\n"
                    .formatted(
                            method,
                            path,
                            server.getAuthority(),
                            headers.length == 0 ? "" : String.join("\r\n", headers) + "\r\n");
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            String line =
                    new String(socket.getInputStream().readNBytes("HTTP/1.1 401".length()), StandardCharsets.US_ASCII);
            return Integer.parseInt(line.substring(line.indexOf(' ') + 1));
        }
    }
}
