package org.fleetgrad.runs.shards;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(120)
class ShardServerTest {

    private static final String SHARD = "train-00000-of-00001.tar.gz";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final List<Socket> strangers = new ArrayList<>();
    private ShardServer server;

    @BeforeEach
    void start(@TempDir Path folder) throws IOException {
        Files.writeString(folder.resolve(SHARD), "a shard");
        Files.createDirectory(folder.resolve("folder"));
        server = new ShardServer(folder, "127.0.0.1");
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket stranger : strangers) {
            stranger.close();
        }
        server.close();
    }

    private static HttpResponse<String> get(URI address) throws IOException, InterruptedException {
        return HttpClient.newHttpClient()
                .send(HttpRequest.newBuilder(address).timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void shouldServeItsFiles() throws Exception {
        assertThat(get(server.url(SHARD)).body()).isEqualTo("a shard");
    }

    @ParameterizedTest
    @ValueSource(strings = {"other.tar.gz", "folder", "", ".", "..", "%2e%2e", "folder/../train-00000-of-00001.tar.gz"})
    void shouldServeNothingElse(String name) throws Exception {
        assertThat(get(URI.create(server.url("") + name)).statusCode()).isEqualTo(404);
    }

    @Test
    void shouldServeNobodyWithoutTheSecret() throws Exception {
        assertThat(get(server.url(SHARD).resolve("/" + SHARD)).statusCode()).isEqualTo(404);
    }

    /** More than it has threads. They would have kept all workers from their shards for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"GET /tra", "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 900000000\r\n\r\n"})
    void shouldServeWhileStrangersStopInTheMiddleOfARequest(String half) throws Exception {
        for (int i = 0; i < 100; i++) {
            Socket stranger =
                    new Socket(InetAddress.getLoopbackAddress(), server.url("").getPort());
            strangers.add(stranger);
            stranger.getOutputStream().write(half.getBytes(StandardCharsets.US_ASCII));
        }

        assertThat(get(server.url(SHARD)).body()).isEqualTo("a shard");
    }
}
