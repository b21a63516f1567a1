package org.fleetgrad.inference.evaluation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import org.fleetgrad.datasets.Normalization;
import org.fleetgrad.datasets.Samples;
import org.fleetgrad.datasets.shard.SampleRange;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.Split;
import org.fleetgrad.inference.model.ImageShape;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TestSetTest {

    private static final Normalization NORMALIZATION = new Normalization(List.of(0.5f), List.of(0.25f));

    @TempDir
    private Path folder;

    private Path file;

    @BeforeEach
    void write() throws IOException {
        file = folder.resolve("test.tar.gz");
        Samples samples = new Samples(1, 1, 2, new byte[] {1, 2, 3, 4}, new byte[] {0, 1});
        ShardArchive.write(
                Shard.of("tiny", Split.TEST, List.of("no", "yes"), NORMALIZATION, new SampleRange(0, 2, 2), samples),
                file);
    }

    @Test
    void shouldReadFile() throws IOException {
        TestSet testSet = TestSet.open(file.toString());

        assertThat(testSet.samples().images()).containsExactly(1, 2, 3, 4);
        assertThat(testSet.description().classes()).containsExactly("no", "yes");
        assertThat(testSet.description().normalization()).isEqualTo(NORMALIZATION);
    }

    @Test
    void shouldFetchUrl() throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/test.tar.gz", exchange -> {
            try (exchange) {
                exchange.sendResponseHeaders(200, bytes.length);
                exchange.getResponseBody().write(bytes);
            }
        });
        server.start();
        String base = "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
        try {
            assertThat(TestSet.open(base + "test.tar.gz").samples().count()).isEqualTo(2);
            assertThatThrownBy(() -> TestSet.open(base + "absent")).isInstanceOf(FileNotFoundException.class);
        } finally {
            server.stop(0);
        }
    }

    @Test
    void shouldFailWhenFileIsAbsent() {
        assertThatThrownBy(() -> TestSet.open(folder.resolve("absent").toString()))
                .isInstanceOf(NoSuchFileException.class);
    }

    @Test
    void shouldRejectShardOfAnotherNetwork() throws IOException {
        TestSet testSet = TestSet.open(file.toString());

        assertThat(testSet.requireFor(new ImageShape(1, 1, 2), 2)).isSameAs(testSet);
        assertThatThrownBy(() -> testSet.requireFor(new ImageShape(1, 28, 28), 10))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the test shard has images of [1, 1, 2] in 2 classes,"
                        + " the network takes 1 x 28 x 28 in 10 classes");
        assertThatThrownBy(() -> testSet.requireFor(new ImageShape(1, 1, 2), 10))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
