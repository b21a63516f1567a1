package org.fleetgrad.runs.shards;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.HexFormat;
import org.fleetgrad.http.server.RequestThreads;
import org.fleetgrad.http.server.SmallLimits;

/**
 * Serves a run's shards over HTTP to workers that cannot read this machine's folders, in place of an object store. A shard's
 * address contains a secret, like a presigned URL. Thread-safe.
 */
public final class ShardServer implements AutoCloseable {

    private static final int SECRET_BYTES = 16;

    /** Bounds what clients without the secret cost: a request without it is over in ten seconds. */
    private static final SmallLimits LIMITS = SmallLimits.defaults(8);

    private final Path folder;
    private final HttpServer server;
    private final RequestThreads threads = new RequestThreads("shard-server", LIMITS);
    private final String prefix;

    /** Serves the files of a folder on a free port of {@code address}. */
    public ShardServer(Path folder, String address) throws IOException {
        this.folder = folder;
        byte[] secret = new byte[SECRET_BYTES];
        new SecureRandom().nextBytes(secret);
        this.prefix = "/" + HexFormat.of().formatHex(secret) + "/";
        this.server = HttpServer.create(new InetSocketAddress(address, 0), 0);
        server.setExecutor(threads);
        server.createContext("/", this::handle);
        server.start();
    }

    /** Returns the address of a file. */
    public URI url(String file) {
        InetSocketAddress at = server.getAddress();
        return URI.create("http://%s:%d%s%s".formatted(at.getAddress().getHostAddress(), at.getPort(), prefix, file));
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getRawPath();
            String name = path.startsWith(prefix) ? path.substring(prefix.length()) : "";
            // Without separators and escapes, the name is that of a file in the folder, or of nothing.
            Path file = name.matches("[A-Za-z0-9][A-Za-z0-9._-]*") ? folder.resolve(name) : folder;
            if (!exchange.getRequestMethod().equals("GET") || !Files.isRegularFile(file)) {
                exchange.sendResponseHeaders(404, -1);
                return;
            }
            // It comes from a worker, which may be on a slow line.
            threads.current().beginHandling();
            exchange.getResponseHeaders().set("Content-Type", "application/gzip");
            exchange.sendResponseHeaders(200, Files.size(file));
            try (OutputStream out = exchange.getResponseBody()) {
                Files.copy(file, out);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.close();
    }
}
