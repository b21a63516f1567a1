package org.fleetgrad.testing;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to an action container as OpenWhisk's invoker does, with a new connection for each request. */
public final class ActionWire {

    private static final int TIMEOUT_MS = (int) Duration.ofMinutes(5).toMillis();

    private final InetSocketAddress address;

    /** Talks to the container at {@code address}. */
    public ActionWire(InetSocketAddress address) {
        this.address = address;
    }

    public static ActionWire local(int port) {
        return new ActionWire(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
    }

    /** A response as received. */
    public record Reply(int status, List<String> headers, String body) {

        public JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        public String error() {
            return json().get("error").stringValue();
        }

        public List<String> header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }
    }

    /** Posts JSON. */
    public Reply post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    /** Sends a request, and reads the response up to its Content-Length, or else to the end. */
    public Reply send(String method, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = """
                %s %s HTTP/1.1\r
                Host: 172.17.0.2:8080\r
                Accept: application/json\r
                Content-Type: application/json\r
                Content-Length: %d\r
                User-Agent: Apache-HttpClient/4.5.5\r
                Accept-Encoding: gzip,deflate\r
                \r
                """.formatted(method, path, bytes.length);
        try (Socket socket = new Socket()) {
            socket.setSoTimeout(TIMEOUT_MS);
            socket.connect(address);
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return read(socket.getInputStream());
        }
    }

    private static Reply read(InputStream in) throws IOException {
        List<String> head = head(in).lines().toList();
        int status = Integer.parseInt(head.get(0).split(" ")[1]);
        Reply reply = new Reply(status, head.subList(1, head.size()), "");
        List<String> length = reply.header("Content-Length");
        byte[] body = length.isEmpty() ? in.readAllBytes() : in.readNBytes(Integer.parseInt(length.get(0)));
        return new Reply(status, reply.headers(), new String(body, StandardCharsets.UTF_8));
    }

    private static String head(InputStream in) throws IOException {
        ByteArrayOutputStream head = new ByteArrayOutputStream();
        while (!head.toString(StandardCharsets.US_ASCII).endsWith("\r\n\r\n")) {
            int next = in.read();
            if (next < 0) {
                throw new EOFException("the container hung up after '%s'".formatted(head));
            }
            head.write(next);
        }
        return head.toString(StandardCharsets.US_ASCII).stripTrailing();
    }
}
