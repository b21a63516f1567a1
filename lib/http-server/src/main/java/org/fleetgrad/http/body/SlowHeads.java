package org.fleetgrad.http.body;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.io.Connection;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ssl.SslConnection;
import org.eclipse.jetty.server.Connector;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.internal.HttpConnection;
import org.eclipse.jetty.util.NanoTime;
import org.eclipse.jetty.util.component.AbstractLifeCycle;

/**
 * Closes connections whose request head has begun and does not end in time. Jetty bounds only silence, so a client that sends a
 * byte a second would hold its connection for hours.
 */
public final class SlowHeads extends AbstractLifeCycle implements Runnable {

    private static final long CHECK_INTERVAL_SECONDS = 5;

    private final Server server;
    private final Duration timeout;

    /** Checks the connections of a server, whose bean it becomes. */
    public SlowHeads(Server server, Duration timeout) {
        this.server = server;
        this.timeout = timeout;
    }

    @Override
    protected void doStart() {
        run();
    }

    @Override
    public void run() {
        try {
            closeLate();
        } finally {
            server.getScheduler().schedule(this, CHECK_INTERVAL_SECONDS, TimeUnit.SECONDS);
        }
    }

    void closeLate() {
        for (Connector connector : server.getConnectors()) {
            for (EndPoint client : connector.getConnectedEndPoints()) {
                if (isLate(client.getConnection())) {
                    client.close(new IOException("the head of the request did not end within " + timeout));
                }
            }
        }
    }

    private boolean isLate(Connection connection) {
        if (connection instanceof SslConnection encrypted) {
            return isLate(encrypted.getSslEndPoint().getConnection());
        }
        if (!(connection instanceof HttpConnection http)) {
            return false;
        }
        HttpParser parser = http.getParser();
        return parser.inHeaderState()
                && !parser.isStart()
                && NanoTime.since(parser.getBeginNanoTime()) > timeout.toNanos();
    }
}
