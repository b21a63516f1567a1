package org.fleetgrad.ps.web.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.LocalConnector;
import org.eclipse.jetty.server.LocalConnector.LocalEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ScheduledExecutorScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class UnreadBodyTest {

    private final BlockingQueue<Runnable> timeouts = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> ends = new LinkedBlockingQueue<>();
    private final Server server = new Server(null, new Timeouts(), null);
    private final LocalConnector connector = new LocalConnector(server);

    @BeforeEach
    void start() throws Exception {
        server.addConnector(connector);
        server.setHandler(new Refusal());
        server.start();
    }

    @AfterEach
    void stop() throws Exception {
        server.stop();
    }

    @Test
    void shouldEndTheRequestAfterItsBody() throws Exception {
        LocalEndPoint client = half();
        assertThat(timeouts.take()).isNotNull();
        assertThat(ends).isEmpty();

        client.addInputAndExecute("x".repeat(60));

        assertThat(ends.take()).isEqualTo("read");
    }

    @Test
    void shouldDisconnectAClientWhoseTimeIsOver() throws Exception {
        LocalEndPoint unused = half();

        timeouts.take().run();

        assertThat(ends.take()).isEqualTo("disconnected");
    }

    @Test
    void shouldEndTheRequestOfAClientThatSendsTooMuch() throws Exception {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n" + "x".repeat(1000));
        assertThat(timeouts.take()).isNotNull();
        assertThat(ends).isEmpty();

        client.addInputAndExecute("x");

        assertThat(ends.take()).isEqualTo("read");
        client.waitUntilClosed();
    }

    private LocalEndPoint half() {
        LocalEndPoint client = connector.connect();
        client.addInputAndExecute("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n" + "x".repeat(40));
        return client;
    }

    /** Collects the tasks of ten seconds. */
    private final class Timeouts extends ScheduledExecutorScheduler {
        @Override
        public Task schedule(Runnable task, long delay, TimeUnit unit) {
            if (unit.toSeconds(delay) == 10) {
                timeouts.add(task);
            }
            return super.schedule(task, delay, unit);
        }
    }

    private final class Refusal extends Handler.Abstract {
        @Override
        public boolean handle(Request request, Response response, Callback callback) {
            new UnreadBody(request, 1000, () -> ends.add("disconnected"), () -> {
                        ends.add("read");
                        callback.succeeded();
                    })
                    .run();
            return true;
        }
    }
}
