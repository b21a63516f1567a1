package org.fleetgrad.openwhisk.pacing;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.fleetgrad.openwhisk.OpenWhiskClient;
import org.fleetgrad.openwhisk.OpenWhiskEnvironment;

/** Accepts an invocation like a controller, and answers all other requests with an HTML page. */
final class PortalServer implements AutoCloseable {

    private final HttpServer server;

    PortalServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            boolean isPost = exchange.getRequestMethod().equals("POST");
            byte[] body = (isPost ? "{\"activationId\":\"77c8\"}" : "<html>").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(isPost ? 202 : 200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        server.start();
    }

    OpenWhiskClient client() {
        return OpenWhiskEnvironment.read(Map.of(
                        "OPENWHISK_APIHOST",
                        "http://127.0.0.1:" + server.getAddress().getPort(),
                        "OPENWHISK_AUTH",
                        "u:k"))
                .client();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
