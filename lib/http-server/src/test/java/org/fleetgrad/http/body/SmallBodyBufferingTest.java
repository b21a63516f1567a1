package org.fleetgrad.http.body;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.LocalConnector.LocalEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.fleetgrad.access.RequestRefused;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SmallBodyBufferingTest {

    private static final int STATED = 60_000;
    private static final int MOST_BYTES = 200_000;

    private final AtomicLong now = new AtomicLong(Long.MAX_VALUE - 1);
    private final CountDownLatch isBegun = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();
    private final BlockingQueue<Runnable> timeouts = new LinkedBlockingQueue<>();
    private final Server server = new Server(null, new Timeouts(), null);
    private final LocalConnector connector = new LocalConnector(server);
    private final SmallBodyBuffering bodies = new SmallBodyBuffering(new Length(), 1, MOST_BYTES, this::nanoTime);

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(bodies);
        server.start();
    }

    private long nanoTime() {
        long read = now.get();
        isBegun.countDown();
        return read;
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void shouldGiveABodyThatIsThereToItsRoute() throws Exception {
        assertThat(connector.getResponse(head("/small", 5) + "hello")).endsWith("5 bytes");
    }

    @Test
    void shouldNotAskForABodyThatThereIsNot() throws Exception {
        assertThat(connector.getResponse(
                        "POST /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: 100-continue\r\n\r\n",
                        30,
                        TimeUnit.SECONDS))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("0 bytes");
    }

    @Test
    void shouldAskTheRouteOnlyWhenTheBodyIsThere() throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(head("/small", 5) + "he");
        isBegun.await();
        assertThat(asked).hasValue(0);

        client.addInputAndExecute("llo");

        assertThat(client.getResponse()).endsWith("5 bytes");
        assertThat(asked).hasValue(1);
    }

    @Test
    void shouldGiveHalfABodyToItsRouteWhenTheClientIsSilent() throws Exception {
        connector.setIdleTimeout(1000);

        assertThat(halfTo("/small").getResponse(false, 30, TimeUnit.SECONDS))
                .endsWith("REQUEST_TIMEOUT: nothing of the body came for 1 s");
    }

    @Test
    void shouldNotWaitLongForAClientThatSendsAByteNowAndThen() throws Exception {
        LocalEndPoint client = halfTo("/small");
        isBegun.await();
        assertThat(asked).hasValue(0);

        now.addAndGet(SmallBodyBuffering.TIMEOUT.plus(Duration.ofSeconds(1)).toNanos());
        client.addInputAndExecute("x");

        assertThat(client.getResponse()).endsWith("REQUEST_TIMEOUT: the body did not end within 10 s");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Content-Length: 5", "Transfer-Encoding: chunked"})
    void shouldNotWaitLongForAClientThatIsAskedToContinueAndDoesNot(String length) throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(
                "POST /small HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n%s\r\n\r\n".formatted(length));
        assertThat(client.getResponse()).startsWith("HTTP/1.1 100 ");

        timeouts.take().run();

        assertThat(client.getResponse()).endsWith("REQUEST_TIMEOUT: the body did not end within 10 s");
        client.waitUntilClosed();
    }

    /** Each request may have a thread only for what it does with its body. */
    @Test
    void shouldWaitForTheLastByteOfTheLongestSmallBody() throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(
                head("/small", SmallBodyBuffering.SMALL_BYTES) + "x".repeat(SmallBodyBuffering.SMALL_BYTES - 1));
        isBegun.await();
        assertThat(asked).hasValue(0);

        client.addInputAndExecute("x");

        assertThat(client.getResponse()).endsWith(SmallBodyBuffering.SMALL_BYTES + " bytes");
        assertThat(asked).hasValue(1);
    }

    @Test
    void shouldWaitForABodyInManyPieces() throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(head("/small", 5_000));
        for (int i = 1; i < 5_000; i++) {
            client.addInputAndExecute("x");
        }
        assertThat(asked).hasValue(0);

        client.addInputAndExecute("x");

        assertThat(client.getResponse()).endsWith("5000 bytes");
    }

    @Test
    void shouldTakeAChunkedBodyThatIsLongerThanASmallOne() throws Exception {
        String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";

        assertThat(connector.getResponse(
                        "POST /large HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n"
                                + chunk
                                + chunk
                                + chunk
                                + "0\r\n\r\n",
                        30,
                        TimeUnit.SECONDS))
                .endsWith(3 * 0x8000 + " bytes");
    }

    @Test
    void shouldRefuseALargeBodyWhileTooManyThreadsWaitForOthers() throws Exception {
        LocalEndPoint slow = connector.connect();
        slow.addInputAndExecute(head("/large", 100_000) + "half");
        spinUntil(() -> asked.get() > 0);

        String refused = connector.getResponse(head("/large", 100_000) + "half", 30, TimeUnit.SECONDS);

        assertThat(refused).startsWith("HTTP/1.1 503 ").contains("Retry-After: 1");
        assertThat(connector.getResponse(head("/small", 5) + "hello")).endsWith("5 bytes");
        slow.addInputAndExecute("x".repeat(100_000 - 4));
        assertThat(slow.getResponse(false, 30, TimeUnit.SECONDS)).endsWith("100000 bytes");
        // The client has its answer before the server has put the thread back.
        spinUntil(() -> large(70_000).endsWith("70000 bytes"));
    }

    private String large(int length) {
        try {
            return connector.getResponse(head("/large", length) + "x".repeat(length), 30, TimeUnit.SECONDS);
        } catch (Exception failed) {
            throw new AssertionError(failed);
        }
    }

    @Test
    void shouldRefuseBodiesThatWaitWhereTheyTakeTooMuchMemory() throws Exception {
        int beyondFree = 40_000 - SmallBodyBuffering.FREE_BYTES;
        while (bodies.reservedBytes() + beyondFree <= MOST_BYTES) {
            long before = bodies.reservedBytes();
            connector.connect().addInputAndExecute(head("/small", 65_000) + "x".repeat(40_000));
            spinUntil(() -> bodies.reservedBytes() >= before + beyondFree);
        }

        assertThat(connector.getResponse(head("/small", 65_000) + "x".repeat(40_000), 30, TimeUnit.SECONDS))
                .startsWith("HTTP/1.1 503 ");
        assertThat(connector.getResponse(head("/small", 4_000) + "x".repeat(4_000)))
                .as("short ones find room")
                .endsWith("4000 bytes");
    }

    @Test
    void shouldEndALargeBodyThatComesSlowerThanTheLeastRate() throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(head("/large", 100_000) + "half");
        spinUntil(() -> asked.get() > 0);
        now.addAndGet(SmallBodyBuffering.TIMEOUT.plus(Duration.ofSeconds(2)).toNanos());
        client.addInputAndExecute("x".repeat(30_000));

        assertThat(client.getResponse(false, 30, TimeUnit.SECONDS))
                .contains("REQUEST_TIMEOUT: ")
                .endsWith(" bytes of the body came in 12 s; the minimum rate is 16384 bytes a second");
    }

    private static void spinUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            assertThat(Thread.interrupted()).as("timed out").isFalse();
            Thread.onSpinWait();
        }
    }

    private LocalEndPoint halfTo(String path) {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute(head(path, STATED) + "half");
        return client;
    }

    private static String head(String path, int length) {
        return "POST %s HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: %d\r\n\r\n".formatted(path, length);
    }

    /** Collects the tasks of ten seconds. */
    private final class Timeouts extends ScheduledExecutorScheduler {
        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            if (unit.toMillis(delay) == SmallBodyBuffering.TIMEOUT.toMillis()) {
                timeouts.add(task);
            }
            return super.schedule(task, delay, unit);
        }
    }

    /** Responds with the length of the body. */
    private final class Length extends Handler.Abstract {

        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            asked.incrementAndGet();
            String answer;
            try {
                answer = Content.Source.asString(request).length() + " bytes";
            } catch (RequestRefused late) {
                answer = late.kind() + ": " + late.detail();
            } catch (IOException broken) {
                answer = "broken: " + broken;
            }
            Content.Sink.write(response, true, answer, callback);
            return true;
        }
    }
}
