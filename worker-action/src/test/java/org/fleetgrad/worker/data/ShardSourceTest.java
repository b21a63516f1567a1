package org.fleetgrad.worker.data;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import org.fleetgrad.datasets.shard.Shard;
import org.fleetgrad.datasets.shard.ShardArchive;
import org.fleetgrad.datasets.shard.ShardLimits;
import org.fleetgrad.files.transfer.StalledTransferMonitor;
import org.fleetgrad.files.transfer.StoreDownload;
import org.fleetgrad.testing.DrippingServer;
import org.fleetgrad.worker.TestShards;
import org.fleetgrad.worker.data.ShardSource.Fetched;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShardSourceTest {

    private static final Shard SHARD = TestShards.digits(7, 1);
    private static final String SECRET = "X-Amz-Signature=s3cr3t";

    private final ShardSource source = new ShardSource(ShardLimits.DEFAULT);
    private final List<String> asked = new ArrayList<>();

    @TempDir
    private Path folder;

    private HttpServer store;
    private byte[] archive;

    @BeforeEach
    void open() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ShardArchive.write(SHARD, out);
        archive = out.toByteArray();
        store = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        serve("/shard.tar.gz", 200, archive);
        serve("/denied", 403, "<Error><Code>AccessDenied</Code></Error>".getBytes(StandardCharsets.UTF_8));
        serve("/garbage", 200, "no shard".getBytes(StandardCharsets.UTF_8));
        serve("/half", 200, Arrays.copyOf(archive, archive.length / 2));
        serve("/empty", 204, new byte[0]);
        store.start();
    }

    private void serve(String path, int status, byte[] body) {
        store.createContext(path, exchange -> {
            try (exchange) {
                asked.add(exchange.getRequestURI().toString());
                exchange.sendResponseHeaders(status, body.length == 0 ? -1 : body.length);
                exchange.getResponseBody().write(body);
            }
        });
    }

    @AfterEach
    void close() {
        store.stop(0);
    }

    private String address(String path) {
        return "http://127.0.0.1:%d%s?%s".formatted(store.getAddress().getPort(), path, SECRET);
    }

    private void assertIsTheShard(Fetched fetched) {
        assertThat(fetched.shard().description()).isEqualTo(SHARD.description());
        assertThat(fetched.shard().images().images()).isEqualTo(SHARD.images().images());
        assertThat(fetched.bytes()).isEqualTo(archive.length);
    }

    @Test
    void shouldReadAFileByItsPathOrAddress() throws Exception {
        Path file = folder.resolve("a.tar.gz");
        Files.write(file, archive);

        assertIsTheShard(source.fetch(file.toString()));
        assertIsTheShard(source.fetch(file.toUri().toString()));
    }

    @Test
    void shouldReadAPresignedAddressWithItsQuery() throws Exception {
        assertIsTheShard(source.fetch(address("/shard.tar.gz")));
        assertThat(asked).containsExactly("/shard.tar.gz?" + SECRET);
    }

    @Test
    void shouldAskForTheShardEachTime() throws Exception {
        Path file = folder.resolve("a.tar.gz");
        ShardArchive.write(TestShards.digits(3, 1), file);
        assertThat(source.fetch(file.toString()).shard().samples().count()).isEqualTo(3);

        ShardArchive.write(TestShards.digits(4, 2), file);

        assertThat(source.fetch(file.toString()).shard().samples().count()).isEqualTo(4);
    }

    @Test
    void shouldSayWhatTheStoreAnswered() {
        assertThatThrownBy(() -> source.fetch(address("/denied")))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessage("http://127.0.0.1:%d/denied could not be read: IOException the store answered 403"
                        .formatted(store.getAddress().getPort()));
        assertThatThrownBy(() -> source.fetch(address("/absent"))).hasMessageEndingWith("the store answered 404");
        assertThatThrownBy(() -> source.fetch(address("/empty"))).hasMessageEndingWith("the store answered 204");
    }

    @Test
    void shouldSayThatSomethingIsNoShard() {
        assertThatThrownBy(() -> source.fetch(address("/garbage")))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessageStartingWith("http://127.0.0.1:%d/garbage is not a shard: "
                        .formatted(store.getAddress().getPort()));
    }

    @Test
    void shouldNotTakeHalfAShard() {
        assertThatThrownBy(() -> source.fetch(address("/half"))).isInstanceOf(ShardUnavailableException.class);
    }

    @Test
    void shouldSayThatAFileIsAbsent() {
        Path absent = folder.resolve("absent.tar.gz");

        assertThatThrownBy(() -> source.fetch(absent.toString()))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessage("%s could not be read: NoSuchFileException %s", absent, absent);
        assertThatThrownBy(() -> source.fetch(folder.toString())).isInstanceOf(ShardUnavailableException.class);
    }

    @Test
    void shouldSayThatAStoreIsAway() {
        String address = address("/shard.tar.gz");
        store.stop(0);

        assertThatThrownBy(() -> source.fetch(address))
                .isInstanceOf(ShardUnavailableException.class)
                .hasMessageContaining("ConnectException");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "a b",
                "s3://bucket/key",
                "HTTP:relative",
                "http:relative",
                "http:///no/host",
                "file:relative",
                "file://host/path",
                "file:///a?" + SECRET,
                "file:///a%00b",
                "/a%00b",
                "mailto:a@b",
                "jar:file:///a.jar!/b",
                "http://[",
                "/a\u0000b"
            })
    void shouldRefuseWhatIsNoAddressOfAShard(String address) {
        assertThatThrownBy(() -> source.fetch(address)).isInstanceOf(ShardUnavailableException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"/denied", "/absent", "/garbage", "/half", "/not an address", "/%zz"})
    void shouldNotTellTheSecretOfAnAddress(String path) {
        Throwable failure = catchThrowable(() -> source.fetch(address(path)));

        assertThat(trace(failure))
                .startsWith(ShardUnavailableException.class.getName())
                .doesNotContain("s3cr3t");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://me:s3cr3t@127.0.0.1:1/a",
                "http://me:s3cr3t@host_of_store/a",
                "ftp://me:s3cr3t@host/a",
                "http://me:s3cr3t@host/%zz"
            })
    void shouldNotTellThePasswordOfAnAddress(String address) {
        Throwable failure = catchThrowable(() -> source.fetch(address));

        assertThat(trace(failure))
                .startsWith(ShardUnavailableException.class.getName())
                .doesNotContain("s3cr3t");
    }

    /** A store decides where a redirect leads: to the metadata service of a cloud, or to a service of this machine. */
    @ParameterizedTest
    @ValueSource(strings = {"/shard.tar.gz", "http://169.254.169.254/latest", "file:///etc/passwd"})
    void shouldFollowNoRedirect(String to) {
        store.createContext("/moved", exchange -> {
            try (exchange) {
                exchange.getResponseHeaders().add("Location", to + "?" + SECRET);
                exchange.sendResponseHeaders(302, -1);
            }
        });

        assertThatThrownBy(() -> source.fetch(address("/moved")))
                .hasMessageEndingWith(
                        "the store answered 302, a redirect to %s, and none is followed: give that address instead",
                        to);
        assertThat(asked).isEmpty();
    }

    @Test
    void shouldReadNoPipeNorDevice() throws Exception {
        Path pipe = folder.resolve("pipe");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();

        for (String address : List.of(pipe.toString(), pipe.toUri().toString(), "file:///dev/zero", "/dev/zero")) {
            assertThatThrownBy(() -> source.fetch(address))
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageEndingWith("it is a folder, a pipe or a device, and not a file");
        }
    }

    private static String trace(Throwable failure) {
        StringWriter trace = new StringWriter();
        failure.printStackTrace(new PrintWriter(trace));
        return trace.toString();
    }

    /** A read waits for 30 s, so a slow sender could block a worker for ever with single bytes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                // A gzip header whose file name never ends.
                "HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n\u001f\u008b\b\b\0\0\0\0\0\0",
                "HTTP/1.1 200 OK\r\nX: "
            })
    void shouldGiveUpAStoreThatSendsAByteNowAndThen(String begin) throws Exception {
        AtomicLong time = new AtomicLong();
        StalledTransferMonitor monitor = new StalledTransferMonitor(time::get);
        ShardSource patient = new ShardSource(ShardLimits.DEFAULT, new StoreDownload(time::get, monitor));
        try (DrippingServer dripping = DrippingServer.start(begin)) {
            CompletableFuture<Throwable> fetched = CompletableFuture.supplyAsync(
                    () -> catchThrowable(() -> patient.fetch(dripping.uri() + "/shard.tar.gz")));

            await().until(() -> {
                time.addAndGet(Duration.ofSeconds(10).toNanos());
                monitor.check();
                return fetched.isDone();
            });

            assertThat(fetched.get())
                    .isInstanceOf(ShardUnavailableException.class)
                    .hasMessageContaining("bytes moved in")
                    .hasMessageContaining("below 8192 a second");
        }
    }
}
