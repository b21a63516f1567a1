package org.fleetgrad.inference.web;

import org.fleetgrad.serving.batching.Batcher;
import org.springframework.context.SmartLifecycle;
import org.springframework.stereotype.Component;

/**
 * Closes the batcher before the web server stops: admitted requests are answered, and requests that arrive over open
 * connections meanwhile get 503 and Retry-After.
 */
@Component
class Drain implements SmartLifecycle {

    private final Batcher batcher;
    private volatile boolean isRunning;

    Drain(Batcher batcher) {
        this.batcher = batcher;
    }

    @Override
    public void start() {
        isRunning = true;
    }

    @Override
    public void stop() {
        isRunning = false;
        batcher.close();
    }

    @Override
    public boolean isRunning() {
        return isRunning;
    }

    // The highest phase stops first, even before the web server's own graceful shutdown begins.
    @Override
    public int getPhase() {
        return Integer.MAX_VALUE;
    }
}
