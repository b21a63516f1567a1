package org.fleetgrad.client;

import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** Writes the head of an HTTP/1.1 request (RFC 9112). */
final class RequestHead {

    private RequestHead() {}

    /**
     * Encodes a request line and its headers.
     *
     * @throws IllegalArgumentException when a header holds a character that would end it
     */
    static byte[] of(ServerEndPoint server, Transport.Request request) {
        StringBuilder head = new StringBuilder(256)
                .append(request.method())
                .append(' ')
                .append(target(request.uri()))
                .append(" HTTP/1.1\r\nHost: ")
                .append(server.host())
                .append("\r\nUser-Agent: fleetgrad\r\n");
        for (Map.Entry<String, String> header : request.headers().entrySet()) {
            append(head, header.getKey(), header.getValue());
        }
        if (!request.body().isEmpty() || !request.method().equals("GET")) {
            long length = 0;
            for (ByteBuffer part : request.body()) {
                length += part.remaining();
            }
            append(head, "Content-Length", Long.toString(length));
        }
        return head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static String target(URI uri) {
        String path = uri.getRawPath().isEmpty() ? "/" : uri.getRawPath();
        return uri.getRawQuery() == null ? path : path + "?" + uri.getRawQuery();
    }

    private static void append(StringBuilder head, String name, String value) {
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c < ' ' || c == 0x7f || c > 0xff) {
                throw new IllegalArgumentException(
                        "the header %s cannot hold the character %d at place %d".formatted(name, (int) c, i));
            }
        }
        head.append(name).append(": ").append(value).append("\r\n");
    }
}
