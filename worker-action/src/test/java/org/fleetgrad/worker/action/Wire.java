package org.fleetgrad.worker.action;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Talks to an action container as OpenWhisk's invoker does, a new connection a request, and shows the bytes. */
final class Wire {

    private final int port;

    Wire(int port) {
        this.port = port;
    }

    /** An answer as it came. */
    record Reply(int status, List<String> headers, String body) {

        JsonNode json() {
            return JsonMapper.shared().readTree(body);
        }

        String error() {
            return json().get("error").stringValue();
        }

        /** Returns the values of a header. */
        List<String> header(String name) {
            return headers.stream()
                    .filter(line -> line.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                    .map(line -> line.substring(name.length() + 1).strip())
                    .toList();
        }
    }

    Reply post(String path, String body) throws IOException {
        return send("POST", path, body);
    }

    Reply send(String method, String path, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        String head = """
                %s %s HTTP/1.1\r
                Host: 172.17.0.2:8080\r
                Accept: application/json\r
                Content-Type: application/json\r
                Accept-Encoding: gzip,deflate\r
                Connection: close\r
                Content-Length: %d\r
                \r
                """.formatted(method, path, bytes.length);
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
            socket.getOutputStream().write(bytes);
            socket.getOutputStream().flush();
            return parsed(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static Reply parsed(String answer) {
        int end = answer.indexOf("\r\n\r\n");
        List<String> head = answer.substring(0, end).lines().toList();
        int status = Integer.parseInt(head.get(0).split(" ")[1]);
        return new Reply(status, head.subList(1, head.size()), answer.substring(end + 4));
    }
}
